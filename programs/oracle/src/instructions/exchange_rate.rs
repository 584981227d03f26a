//! The instructions that return an oracle's rate.

use crate::error::{
    INVALID_PARAMS, INVALID_SOURCE, LIBRARY_MATH_ERROR, LIBRARY_U256_NUMBER_DOWN_CAST_ERROR, NONCE_MISMATCH,
    RATE_ZERO,
};
use crate::sources::{self, Purpose, ONE};
use crate::state::Oracle;
use sluice_program::anchor::{self, decoded};
use sluice_program::bytes::Reader;
use sluice_program::sysvar::Clock;
use sluice_program::{cpi, wide, Account, Result};

/// The square of [`ONE`]. An inverted price divides it.
const ONE_SQUARED: u128 = 10u128.pow(30);

/// Argument: the oracle's number. Returns the rate as u128.
pub fn one(accounts: &[Account], args: &[u8], purpose: Purpose) -> Result {
    let (oracle, rest) = load(accounts, args)?;
    cpi::set_return_data(&rate(&oracle, rest, purpose)?.to_le_bytes());
    Ok(())
}

/// Argument: the oracle's number. Returns two u128: the rate for liquidations, then the one for operations.
pub fn both(accounts: &[Account], args: &[u8]) -> Result {
    let (oracle, rest) = load(accounts, args)?;
    let mut rates = [0; 32];
    rates[..16].copy_from_slice(&rate(&oracle, rest, Purpose::Liquidate)?.to_le_bytes());
    rates[16..].copy_from_slice(&rate(&oracle, rest, Purpose::Operate)?.to_le_bytes());
    cpi::set_return_data(&rates);
    Ok(())
}

#[inline(never)]
fn load<'s, 'a>(accounts: &'s [Account<'a>], args: &[u8]) -> Result<(Oracle<'a>, &'s [Account<'a>])> {
    let nonce = decoded(Reader::new(args).u16())?;
    let (&[account], rest) = anchor::accounts(accounts)?;
    let oracle = Oracle::load(account)?;
    if oracle.nonce != nonce {
        return Err(NONCE_MISMATCH.of("oracle"));
    }
    Ok((oracle, rest))
}

/// Returns the product of all hops with 15 decimals, rounded down after each hop. `accounts` are the sources, in
/// order.
#[inline(never)]
fn rate(oracle: &Oracle, accounts: &[Account], purpose: Purpose) -> Result<u128> {
    if accounts.len() != oracle.count {
        return Err(INVALID_PARAMS.into());
    }
    for (index, account) in accounts.iter().enumerate() {
        if *account.address() != oracle.source(index)?.address {
            return Err(INVALID_SOURCE.into());
        }
    }
    let clock = Clock::get()?;
    let mut rate = ONE;
    for (index, account) in accounts.iter().enumerate() {
        let source = oracle.source(index)?;
        let mut price = sources::read(source.kind, *account, &clock, purpose)?;
        if price > 0 && source.invert {
            price = wide::div_floor(ONE_SQUARED, price).ok_or(LIBRARY_MATH_ERROR)?;
        }
        rate = wide::mul_div_floor(price, rate, ONE).ok_or(LIBRARY_U256_NUMBER_DOWN_CAST_ERROR)?;
        if rate == 0 {
            return Err(RATE_ZERO.into());
        }
    }
    Ok(rate)
}
