//! Layouts of the program's accounts. Offsets include the discriminator.

pub mod config;
pub mod oracle;
pub mod pool;
pub mod position;
pub mod tick;
pub mod tick_array;

use sluice_program::bytes;
use sluice_program::{anchor, Account, ProgramError, Result};

use crate::keys::PROGRAM;
use sluice_program::account::Data;

/// The number of a pool's rewards. No instruction here sets one up, but those of cloned pools accrue and are paid.
pub const REWARDS: usize = 3;

/// Returns the data of an account. Fails with an error of Anchor's unless it is one of the program's with this
/// discriminator and at least this length.
#[inline(always)]
pub fn load<'a>(account: Account<'a>, tag: &[u8; 8], len: usize, name: &str) -> Result<Data<'a>> {
    let data = anchor::load(account, &PROGRAM, tag, name)?;
    if data.len() < len {
        Err(anchor::ACCOUNT_DID_NOT_DESERIALIZE.of(name))
    } else {
        Ok(data)
    }
}

/// Reads a u128 in an account's data.
#[inline(always)]
pub fn u128_at(data: &[u8], at: usize) -> Result<u128> {
    let field: Option<&[u8; 16]> = bytes::at(data, at);
    field.map(|field| u128::from_le_bytes(*field)).ok_or(ProgramError::ACCOUNT_DATA_TOO_SMALL)
}

/// Reads an i32 in an account's data.
#[inline(always)]
pub fn i32_at(data: &[u8], at: usize) -> Result<i32> {
    let field: Option<&[u8; 4]> = bytes::at(data, at);
    field.map(|field| i32::from_le_bytes(*field)).ok_or(ProgramError::ACCOUNT_DATA_TOO_SMALL)
}

/// Writes a u128 into an account's data.
#[inline(always)]
pub fn put_u128(data: &mut [u8], at: usize, value: u128) -> Result {
    bytes::put(data, at, &value.to_le_bytes())
}
