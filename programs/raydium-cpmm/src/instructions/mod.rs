//! The instructions, one file per kind. Each checks all its accounts before anything else: first their types, then
//! the relations between them, both in the order in which the instruction lists them.

pub mod collect_creator_fee;
pub mod collect_fee;
pub mod config;
pub mod initialize;
pub mod liquidity;
pub mod permission;
pub mod status;
pub mod swap;

use sluice_program::bytes::Reader;
use sluice_program::{anchor, Result};

/// Reads an instruction's arguments, all of which are u64. Fails with InstructionDidNotDeserialize if they are cut
/// short.
pub fn numbers<const N: usize>(args: &[u8]) -> Result<[u64; N]> {
    let mut reader = Reader::new(args);
    let mut numbers = [0; N];
    for number in &mut numbers {
        *number = reader.u64().ok_or(anchor::INSTRUCTION_DID_NOT_DESERIALIZE)?;
    }
    Ok(numbers)
}
