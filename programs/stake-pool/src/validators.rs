//! The list of the pool's validators, as far as an update reads it.

use crate::error::{CALCULATION_FAILURE, INVALID_STATE, STAKE_LIST_OUT_OF_DATE};
use sluice_program::bytes::Reader;
use sluice_program::{Account, Address, ProgramError, Result};

const VALIDATOR_LIST: u8 = 2;
/// Active and transient lamports and the epoch of their update come first.
const ENTRY_LEN: usize = 73;

/// The lamports of all validators. Fails unless each was updated in this epoch.
#[inline(never)]
pub fn total_lamports(program: &Address, list: Account, epoch: u64) -> Result<u64> {
    if !list.is_owned_by(program) {
        return Err(ProgramError::INCORRECT_PROGRAM_ID);
    }
    let data = list.data()?;
    let mut from = Reader::new(&data);
    let kind = from.u8().filter(|kind| *kind <= VALIDATOR_LIST).ok_or(ProgramError::BORSH_IO_ERROR)?;
    let _room = from.u32().ok_or(ProgramError::BORSH_IO_ERROR)?;
    if kind != VALIDATOR_LIST {
        return Err(INVALID_STATE);
    }
    let count = from.u32().ok_or(ProgramError::ACCOUNT_DATA_TOO_SMALL)?;
    let mut total: u64 = 0;
    for _ in 0..count {
        let entry = from.bytes(ENTRY_LEN).ok_or(ProgramError::ACCOUNT_DATA_TOO_SMALL)?;
        total = total.checked_add(lamports(entry, epoch)?).ok_or(CALCULATION_FAILURE)?;
    }
    Ok(total)
}

fn lamports(entry: &[u8], epoch: u64) -> Result<u64> {
    let mut from = Reader::new(entry);
    let fields = (from.u64(), from.u64(), from.u64());
    let (Some(active), Some(transient), Some(updated)) = fields else {
        return Err(ProgramError::ACCOUNT_DATA_TOO_SMALL);
    };
    if updated < epoch {
        return Err(STAKE_LIST_OUT_OF_DATE);
    }
    active.checked_add(transient).ok_or(CALCULATION_FAILURE)
}
