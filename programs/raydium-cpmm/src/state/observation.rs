//! The observation account: sums of prices over time.

use crate::error::{out_of_range, MATH_OVERFLOW};
use sluice_program::{anchor, bytes, wide, Address, ProgramError, Result};

pub const TAG: [u8; 8] = anchor::account("ObservationState");
pub const LEN: usize = 4075;

const INITIALIZED: usize = 8;
const INDEX: usize = 9;
const POOL: usize = 11;
const OBSERVATIONS: usize = 43;
const LAST_UPDATE: usize = 4043;

const COUNT: u16 = 100;
const SIZE: usize = 40;
/// Offsets within an observation, after its timestamp, of the sums of price times seconds of token 0 and token 1.
const SUMS: [usize; 2] = [8, 24];
/// The number of seconds after which a new observation starts.
const PERIOD: u64 = 15;

/// Writes the discriminator and the pool into zeroed data.
pub fn initialize(data: &mut [u8], pool: &Address) -> Result {
    bytes::put(data, 0, &TAG)?;
    bytes::put(data, POOL, &pool.0)
}

/// Adds the time since the last update at the prices that held until now. The first call only records the time.
pub fn update(data: &mut [u8], now: u64, prices: [u128; 2]) -> Result {
    let index = bytes::u16_at(data, INDEX).ok_or(ProgramError::ACCOUNT_DATA_TOO_SMALL)?;
    if index >= COUNT {
        out_of_range("observation index");
    }
    let current = OBSERVATIONS + index as usize * SIZE;
    if data[INITIALIZED] == 0 {
        data[INITIALIZED] = 1;
        write(data, current, now, [0, 0])?;
        return bytes::put(data, LAST_UPDATE, &now.to_le_bytes());
    }

    let started = u64_at(data, current)?;
    // Accounts that are older than this field use the last observation's time, and store it even if nothing is added.
    if u64_at(data, LAST_UPDATE)? == 0 {
        bytes::put(data, LAST_UPDATE, &started.to_le_bytes())?;
    }
    let elapsed = now.saturating_sub(u64_at(data, LAST_UPDATE)?);
    let age = now.saturating_sub(started);
    if elapsed == 0 || age == 0 {
        return Ok(());
    }

    let mut sums = [0; 2];
    for token in 0..2 {
        let more = wide::checked_mul(prices[token], elapsed as u128).ok_or(MATH_OVERFLOW)?;
        sums[token] = u128_at(data, current + SUMS[token])?.wrapping_add(more);
    }
    if age < PERIOD {
        write(data, current, started, sums)?;
    } else {
        let next = if index == COUNT - 1 { 0 } else { index + 1 };
        write(data, OBSERVATIONS + next as usize * SIZE, now, sums)?;
        bytes::put(data, INDEX, &next.to_le_bytes())?;
    }
    bytes::put(data, LAST_UPDATE, &now.to_le_bytes())
}

fn write(data: &mut [u8], at: usize, timestamp: u64, sums: [u128; 2]) -> Result {
    bytes::put(data, at, &timestamp.to_le_bytes())?;
    bytes::put(data, at + SUMS[0], &sums[0].to_le_bytes())?;
    bytes::put(data, at + SUMS[1], &sums[1].to_le_bytes())
}

fn u64_at(data: &[u8], at: usize) -> Result<u64> {
    bytes::u64_at(data, at).ok_or(ProgramError::ACCOUNT_DATA_TOO_SMALL)
}

fn u128_at(data: &[u8], at: usize) -> Result<u128> {
    bytes::at(data, at).map(|field| u128::from_le_bytes(*field)).ok_or(ProgramError::ACCOUNT_DATA_TOO_SMALL)
}
