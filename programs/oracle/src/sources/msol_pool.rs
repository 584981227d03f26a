//! The state of Marinade's pool. The price is the lamports under control, minus tickets for unstaked SOL, per mSOL.

use super::ONE;
use crate::error::{INVALID_PRICE, LIBRARY_MATH_ERROR};
use sluice_program::bytes;
use sluice_program::{wide, Account, ProgramError, Result};

// The offsets of the numbers in the account. All fields before them have fixed lengths.
const COOLING_DOWN: usize = 226;
const ACTIVE_BALANCE: usize = 376;
const RESERVE_BALANCE: usize = 496;
const SUPPLY: usize = 504;
const TICKET_BALANCE: usize = 528;
const EMERGENCY_COOLING_DOWN: usize = 568;

/// Returns the price of mSOL in SOL. Fails if the account is cut short, or if the pool has no tokens.
pub fn read(account: Account) -> Result<u128> {
    let data = account.data()?;
    let field = |offset| bytes::u64_at(&data, offset).ok_or(ProgramError::BORSH_IO_ERROR);
    let mut lamports = 0u64;
    for offset in [COOLING_DOWN, EMERGENCY_COOLING_DOWN, ACTIVE_BALANCE, RESERVE_BALANCE] {
        lamports = lamports.checked_add(field(offset)?).ok_or(LIBRARY_MATH_ERROR)?;
    }
    let staked = lamports.saturating_sub(field(TICKET_BALANCE)?);
    let scaled = wide::checked_mul(ONE, staked as u128).ok_or(LIBRARY_MATH_ERROR)?;
    Ok(wide::div_floor(scaled, field(SUPPLY)? as u128).ok_or(INVALID_PRICE)?)
}
