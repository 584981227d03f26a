//! Events. The program emits them by calls to itself.

use crate::keys::{EVENT_AUTHORITY, EVENT_AUTHORITY_BUMP, PROGRAM};
use crate::schedule::Terms;
use sluice_program::bytes::Writer;
use sluice_program::layout::Field;
use sluice_program::{anchor, event, Account, Address, ProgramError, Result};

const CREATED: [u8; 8] = anchor::event("EventCreateVestingEscrow");
const CLAIMED: [u8; 8] = anchor::event("EventClaim");
const RECIPIENT_UPDATED: [u8; 8] = anchor::event("EventUpdateVestingEscrowRecipient");
const CANCELLED: [u8; 8] = anchor::event("EventCancelVestingEscrow");
const CLOSED: [u8; 8] = anchor::event("EventCloseVestingEscrow");

/// The length of the longest event, which is that of a new recipient.
const LONGEST: usize = 8 + 8 + 4 * 32;

/// Fails with ConstraintSeeds unless the account is the event authority. The program's own account, which follows it,
/// is not looked at, as in the public program: without it, the call to itself fails.
#[inline(never)]
pub fn check_authority(authority: Account) -> Result {
    if *authority.address() == EVENT_AUTHORITY {
        Ok(())
    } else {
        Err(anchor::CONSTRAINT_SEEDS.of("event_authority"))
    }
}

#[inline(never)]
pub fn emit_created(authority: Account, terms: &Terms, [recipient, escrow]: [&Address; 2]) -> Result {
    emit(authority, &CREATED, |event| {
        Terms::write(terms, event)?;
        event.address(recipient)?;
        event.address(escrow)
    })
}

#[inline(never)]
pub fn emit_claimed(authority: Account, escrow: &Address, amount: u64, now: u64) -> Result {
    emit(authority, &CLAIMED, |event| {
        event.u64(amount)?;
        event.u64(now)?;
        event.address(escrow)
    })
}

/// Emits that the escrow has a new recipient: `parties` are the escrow, the old one, the new one and the signer.
#[inline(never)]
pub fn emit_recipient_updated(authority: Account, parties: [&Address; 4]) -> Result {
    emit(authority, &RECIPIENT_UPDATED, |event| parties.iter().try_for_each(|party| event.address(party)))
}

/// Emits the end of an escrow: `numbers` are what the recipient gets, what the creator gets back, and the time.
#[inline(never)]
pub fn emit_cancelled(authority: Account, [escrow, signer]: [&Address; 2], numbers: &[u64; 3]) -> Result {
    emit(authority, &CANCELLED, |event| {
        event.address(escrow)?;
        event.address(signer)?;
        numbers.iter().try_for_each(|number| event.u64(*number))
    })
}

#[inline(never)]
pub fn emit_closed(authority: Account, escrow: &Address) -> Result {
    emit(authority, &CLOSED, |event| event.address(escrow))
}

#[inline(always)]
fn emit(authority: Account, tag: &[u8; 8], write: impl FnOnce(&mut Writer) -> Result) -> Result {
    let mut data = [0; LONGEST];
    let mut writer = Writer::new(&mut data);
    writer.array(&event::TAG)?;
    writer.array(tag)?;
    write(&mut writer)?;
    event::emit(&PROGRAM, authority, EVENT_AUTHORITY_BUMP, writer.written())
}

/// Answers a call of the program to itself. Fails with ConstraintSigner unless the event authority signed, for which
/// only this program can sign.
pub fn accept(accounts: &[Account]) -> Result {
    match accounts.first() {
        None => Err(ProgramError::NOT_ENOUGH_ACCOUNT_KEYS),
        Some(authority) if !authority.is_signer() => Err(anchor::CONSTRAINT_SIGNER.of("event_authority")),
        Some(authority) if *authority.address() == EVENT_AUTHORITY => Ok(()),
        Some(_) => Err(anchor::CONSTRAINT_SEEDS.of("event_authority")),
    }
}
