//! A pool of the stake pool program. The price is the lamports under management per token.

use super::ONE;
use crate::error::{FEE_TOO_HIGH, INVALID_PRICE, LIBRARY_MATH_ERROR, STAKE_POOL_NOT_REFRESHED};
use sluice_program::bytes::{Reader, Writer};
use sluice_program::sysvar::Clock;
use sluice_program::{anchor, log, math, wide, Account, Address, ProgramError, Result};

const HIGH_FEE: [u8; 8] = anchor::event("LogStakePoolHighFeeDetected");
const LAST_KIND: u8 = 2;
const LAST_FUTURE: u8 = 2;
const ADDRESSES_BEFORE_BUMP: usize = 3 * 32;
const ADDRESSES_BEHIND_BUMP: usize = 5 * 32;
const LOCKUP: usize = 48;
/// The maximum fee, in thousandths.
const MAX_FEE: u64 = 5;
/// In the first hour of an epoch, the last epoch's rate is accepted.
const GRACE_SECONDS: u64 = 3600;

#[derive(Clone, Copy)]
struct Fee {
    denominator: u64,
    numerator: u64,
}

struct Pool {
    lamports: u64,
    tokens: u64,
    last_update_epoch: u64,
    /// The fees of withdrawals and deposits, of SOL and of stake.
    fees: [Fee; 4],
    /// The announced fees of withdrawals.
    next_fees: [Option<Fee>; 2],
}

/// Fails with StakePoolNotRefreshed if the pool was not updated within the first hour of the epoch, and with
/// FeeTooHigh if a fee exceeds 0.5 %.
pub fn read(account: Account, clock: &Clock) -> Result<u128> {
    let pool = decode(&account.data()?).ok_or(ProgramError::BORSH_IO_ERROR)?;
    let elapsed = (clock.unix_timestamp as u64).saturating_sub(clock.epoch_start_timestamp as u64);
    let next = pool.last_update_epoch.checked_add(1).ok_or(LIBRARY_MATH_ERROR)?;
    if next < clock.epoch || (next == clock.epoch && elapsed >= GRACE_SECONDS) {
        return Err(STAKE_POOL_NOT_REFRESHED.into());
    }
    for fee in &pool.fees {
        if is_high(fee)? {
            return Err(FEE_TOO_HIGH.into());
        }
    }
    for fee in pool.next_fees.iter().flatten() {
        if is_high(fee)? {
            log_update(account.address(), clock.epoch)?;
        }
    }
    let scaled = wide::checked_mul(ONE, pool.lamports as u128).ok_or(LIBRARY_MATH_ERROR)?;
    Ok(wide::div_floor(scaled, pool.tokens as u128).ok_or(INVALID_PRICE)?)
}

fn is_high(fee: &Fee) -> Result<bool> {
    if fee.denominator == 0 {
        return Ok(false);
    }
    let thousandths = math::checked_mul(fee.numerator, 1000).ok_or(LIBRARY_MATH_ERROR)? / fee.denominator;
    Ok(thousandths > MAX_FEE)
}

fn log_update(pool: &Address, epoch: u64) -> Result {
    let mut buffer = [0; 48];
    let mut event = Writer::new(&mut buffer);
    event.array(&HIGH_FEE)?;
    event.address(pool)?;
    event.u64(epoch)?;
    log::data(&[event.written()]);
    Ok(())
}

#[inline(never)]
fn decode(data: &[u8]) -> Option<Pool> {
    let mut from = Reader::new(data);
    from.u8().filter(|kind| *kind <= LAST_KIND)?;
    from.bytes(ADDRESSES_BEFORE_BUMP + 1 + ADDRESSES_BEHIND_BUMP)?;
    let (lamports, tokens, last_update_epoch) = (from.u64()?, from.u64()?, from.u64()?);
    from.bytes(LOCKUP)?;
    fee(&mut from)?;
    future_fee(&mut from)?;
    optional_address(&mut from)?;
    optional_address(&mut from)?;
    let stake_deposit = fee(&mut from)?;
    let stake_withdrawal = fee(&mut from)?;
    let next_stake_withdrawal = future_fee(&mut from)?;
    from.u8()?;
    optional_address(&mut from)?;
    let sol_deposit = fee(&mut from)?;
    from.u8()?;
    optional_address(&mut from)?;
    let sol_withdrawal = fee(&mut from)?;
    let next_sol_withdrawal = future_fee(&mut from)?;
    // The two numbers of the last epoch must be present.
    from.bytes(16)?;
    Some(Pool {
        lamports,
        tokens,
        last_update_epoch,
        fees: [sol_withdrawal, stake_withdrawal, sol_deposit, stake_deposit],
        next_fees: [next_sol_withdrawal, next_stake_withdrawal],
    })
}

fn fee(from: &mut Reader) -> Option<Fee> {
    Some(Fee { denominator: from.u64()?, numerator: from.u64()? })
}

/// Reads an optional fee that takes effect in the next epoch or in the one after it.
fn future_fee(from: &mut Reader) -> Option<Option<Fee>> {
    match from.u8()? {
        0 => Some(None),
        epochs if epochs <= LAST_FUTURE => fee(from).map(Some),
        _ => None,
    }
}

fn optional_address(from: &mut Reader) -> Option<()> {
    if from.bool()? {
        from.address()?;
    }
    Some(())
}
