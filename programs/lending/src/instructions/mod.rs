//! One instruction, or one family of instructions with the same accounts, per file.

pub mod admin;
pub mod deposit;
pub mod init_lending;
pub mod metadata;
pub mod rewards_model;
pub mod update_rate;
pub mod withdraw;

use sluice_program::anchor::decoded;
use sluice_program::bytes::Reader;
use sluice_program::{cpi, Result};

pub fn numbers<const N: usize>(args: &[u8]) -> Result<[u64; N]> {
    let mut from = Reader::new(args);
    let mut numbers = [0; N];
    for number in &mut numbers {
        *number = decoded(from.u64())?;
    }
    Ok(numbers)
}

pub fn give_back(number: u64) -> Result {
    cpi::set_return_data(&number.to_le_bytes());
    Ok(())
}
