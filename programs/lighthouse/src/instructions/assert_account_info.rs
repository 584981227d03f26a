//! The assertion about an account's header.

use sluice_program::bytes::Reader;
use sluice_program::{Account, Result};

use crate::comparison::{compared, is_equal};
use crate::errors::{ASSERTION_FAILED, INVALID_INSTRUCTION_DATA, NOT_ENOUGH_ACCOUNTS};

/// Fails with AssertionFailed unless the first account is as the arguments say. The arguments are a logging level,
/// which is ignored, the field, the value to compare it with, and the comparison.
pub fn assert_account_info(accounts: &[Account], args: &[u8]) -> Result {
    let target = *accounts.first().ok_or(NOT_ENOUGH_ACCOUNTS)?;
    match holds(target, args) {
        Some(true) => Ok(()),
        Some(false) => Err(ASSERTION_FAILED.into()),
        None => Err(INVALID_INSTRUCTION_DATA.into()),
    }
}

/// Returns None if the arguments cannot be decoded, or if they name a field that is left out here: the owner by a
/// number, the rent epoch or the hash of the data.
fn holds(target: Account, args: &[u8]) -> Option<bool> {
    let mut reader = Reader::new(args);
    let _log_level = reader.u8()?;
    match reader.u8()? {
        0 => compared(target.lamports().cmp(&reader.u64()?), reader.u8()?),
        1 => compared((target.data_len() as u64).cmp(&reader.u64()?), reader.u8()?),
        2 => is_equal(target.owner() == reader.address()?, reader.u8()?),
        5 => is_equal(target.is_signer() == reader.bool()?, reader.u8()?),
        6 => is_equal(target.is_writable() == reader.bool()?, reader.u8()?),
        7 => is_equal(target.is_executable() == reader.bool()?, reader.u8()?),
        _ => None,
    }
}
