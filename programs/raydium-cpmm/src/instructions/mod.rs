//! One module per kind of instruction. Each checks all its accounts before it does anything: first their types, then
//! what binds them together, both in the order in which the instruction lists them.

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

/// An instruction's arguments, all of them numbers; InstructionDidNotDeserialize when there are fewer.
pub fn numbers<const N: usize>(args: &[u8]) -> Result<[u64; N]> {
    let mut reader = Reader::new(args);
    let mut numbers = [0; N];
    for number in &mut numbers {
        *number = reader.u64().ok_or(anchor::INSTRUCTION_DID_NOT_DESERIALIZE)?;
    }
    Ok(numbers)
}
