//! The list of the pool's validators: the parts of it that an update reads.

use crate::error::{ALREADY_IN_USE, CALCULATION_FAILURE, INVALID_STATE, STAKE_LIST_OUT_OF_DATE};
use sluice_program::bytes::{Reader, Writer};
use sluice_program::{Account, Address, ProgramError, Result};

const VALIDATOR_LIST: u8 = 2;
/// An entry starts with the active lamports, the transient lamports and the epoch of their update.
const ENTRY_LEN: usize = 73;

/// The list starts with its kind, its capacity and the number of its entries.
const HEADER_LEN: usize = 9;

/// Returns the number of validators that fit an account of that length.
pub fn room(data_len: usize) -> usize {
    data_len.saturating_sub(HEADER_LEN) / ENTRY_LEN
}

/// Fails with AlreadyInUse if the account has ever been a list. It must be owned by this program.
pub fn check_unused(program: &Address, list: Account) -> Result {
    if !list.is_owned_by(program) {
        return Err(ProgramError::INCORRECT_PROGRAM_ID);
    }
    match list.data()?.first() {
        Some(0) => Ok(()),
        Some(kind) if *kind <= VALIDATOR_LIST => Err(ALREADY_IN_USE),
        _ => Err(ProgramError::BORSH_IO_ERROR),
    }
}

/// Makes the account an empty list.
pub fn store_empty(list: Account, room: u32) -> Result {
    let mut data = list.data_mut()?;
    let mut to = Writer::new(&mut data);
    to.u8(VALIDATOR_LIST)?;
    to.u32(room)?;
    to.u32(0)
}

/// Returns the lamports of all validators. Fails with StakeListOutOfDate unless each was updated in this epoch.
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
