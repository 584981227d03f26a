//! One module per kind of instruction. Each checks all its accounts before it does anything: first their types, then
//! what binds them together, both in the order in which the instruction lists them.

pub mod swap;

use crate::error::INVALID_TIMESTAMP_CONVERSION;
use sluice_program::sysvar::Clock;
use sluice_program::{anchor, Account, Address, Result};

/// What the arguments decode to; InstructionDidNotDeserialize when they do not.
pub fn decoded<T>(args: Option<T>) -> Result<T> {
    args.ok_or_else(|| anchor::INSTRUCTION_DID_NOT_DESERIALIZE.into())
}

/// Unix seconds. InvalidTimestampConversion before 1970.
pub fn now() -> Result<u64> {
    u64::try_from(Clock::get()?.unix_timestamp).map_err(|_| INVALID_TIMESTAMP_CONVERSION.into())
}

/// A writable token account of the mint.
#[inline(always)]
pub fn check_holding(account: Account, mint: &Address, expected: &Address, name: &str) -> Result {
    anchor::check_writable(account, name)?;
    if mint == expected {
        Ok(())
    } else {
        Err(anchor::CONSTRAINT_RAW.of(name))
    }
}

/// A writable account at the address.
#[inline(always)]
pub fn check_vault(account: Account, expected: &Address, name: &str) -> Result {
    anchor::check_writable(account, name)?;
    anchor::check_address(account, expected, name)
}
