//! The instructions. Each file has one instruction, or a family of instructions with the same accounts.

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

/// Reads the arguments. Fails with InstructionDidNotDeserialize if they are cut short.
pub fn numbers<const N: usize>(args: &[u8]) -> Result<[u64; N]> {
    let mut from = Reader::new(args);
    let mut numbers = [0; N];
    for number in &mut numbers {
        *number = decoded(from.u64())?;
    }
    Ok(numbers)
}

/// Returns a number to the caller of the program.
pub fn return_number(number: u64) -> Result {
    cpi::set_return_data(&number.to_le_bytes());
    Ok(())
}
