//! Events. The program emits them by calls to itself.

use crate::keys::{EVENT_AUTHORITY, EVENT_AUTHORITY_BUMP, PROGRAM};
use sluice_program::bytes::Writer;
use sluice_program::{anchor, error::ProgramError, event, Account, Result};

/// The length of the buffer, which exceeds that of every event.
const ROOM: usize = 512;

/// Checks that the account is the event authority. The program's own account, which follows it in every instruction,
/// is not looked at, as in the public program: without it, the call that emits the event fails.
pub fn check_authority(authority: Account) -> Result {
    if *authority.address() == EVENT_AUTHORITY {
        Ok(())
    } else {
        Err(anchor::CONSTRAINT_SEEDS.of("event_authority"))
    }
}

/// Writes the event's discriminator and fields, and emits it.
#[inline(always)]
pub fn emit(authority: Account, tag: &[u8; 8], write: impl FnOnce(&mut Writer) -> Result) -> Result {
    let mut data = [0; ROOM];
    let mut writer = Writer::new(&mut data);
    writer.array(&event::TAG)?;
    writer.array(tag)?;
    write(&mut writer)?;
    event::emit(&PROGRAM, authority, EVENT_AUTHORITY_BUMP, writer.written())
}

/// Answers a call of the program to itself. Only its event authority may sign it.
pub fn accept(accounts: &[Account]) -> Result {
    let Some(authority) = accounts.first() else {
        return Err(ProgramError::NOT_ENOUGH_ACCOUNT_KEYS);
    };
    if !authority.is_signer() {
        return Err(anchor::CONSTRAINT_SIGNER.into());
    }
    if *authority.address() != EVENT_AUTHORITY {
        return Err(anchor::CONSTRAINT_SEEDS.into());
    }
    Ok(())
}
