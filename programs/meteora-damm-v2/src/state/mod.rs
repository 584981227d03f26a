//! Layouts of the program's accounts. Offsets include the discriminator.

pub mod config;
pub mod pool;
pub mod position;
pub mod reward;
pub mod vesting;

use crate::keys::PROGRAM;
use sluice_program::account::Data;
use sluice_program::bytes;
use sluice_program::wide::U256;
use sluice_program::{anchor, Account, Result};

/// Returns the data of one of the program's accounts. An account that does not exist fails with the error for a wrong
/// owner, unlike other accounts.
#[inline(always)]
pub fn load<'a>(account: Account<'a>, tag: &[u8; 8], len: usize, name: &str) -> Result<Data<'a>> {
    if !account.is_owned_by(&PROGRAM) {
        return Err(anchor::ACCOUNT_OWNED_BY_WRONG_PROGRAM.of(name));
    }
    let data = anchor::load(account, &PROGRAM, tag, name)?;
    if data.len() < len {
        Err(anchor::ACCOUNT_DID_NOT_DESERIALIZE.of(name))
    } else {
        Ok(data)
    }
}

/// Writes a u64 into an account's data.
pub fn put_u64(data: &mut [u8], at: usize, value: u64) -> Result {
    bytes::put(data, at, &value.to_le_bytes())
}

/// Writes a u128 into an account's data.
pub fn put_u128(data: &mut [u8], at: usize, value: u128) -> Result {
    bytes::put(data, at, &value.to_le_bytes())
}

/// Writes a number of 256 bits into an account's data.
pub fn put_u256(data: &mut [u8], at: usize, value: &U256) -> Result {
    put_u128(data, at, value.low)?;
    put_u128(data, at + 16, value.high)
}

/// Reads a number of 256 bits.
pub fn read_u256(reader: &mut bytes::Reader) -> Option<U256> {
    let low = reader.u128()?;
    Some(U256 { low, high: reader.u128()? })
}
