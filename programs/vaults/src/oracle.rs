//! Calls to the oracle program.

use crate::error::INVALID_ORACLE_PRICE;
use crate::math::{mul_div_rem, RATE_ONE};
use crate::state::vault::Prices;
use sluice_program::cpi::{self, CpiAccount};
use sluice_program::heap::List;
use sluice_program::{anchor, Account, ProgramError, Result};

const BOTH: [u8; 8] = anchor::instruction("get_both_exchange_rate");
const LIQUIDATE: [u8; 8] = anchor::instruction("get_exchange_rate_liquidate");
/// The maximum rate that is accepted: 10^9 times 1.0.
const MAX_RATE: u128 = 1_000_000_000 * RATE_ONE;
/// A rate above this is reduced to it, so that later products keep their precision.
const RATE_CAP: u128 = 100 * MAX_RATE;

/// An oracle and the accounts that it reads.
pub struct Oracle<'s, 'a> {
    pub program: Account<'a>,
    pub account: Account<'a>,
    pub nonce: u16,
    pub sources: &'s [Account<'a>],
}

/// Debt per collateral. 1.0 is 10^15.
pub struct Rates {
    pub liquidate: u128,
    pub operate: u128,
}

impl Oracle<'_, '_> {
    /// Returns the rates for operations and for liquidations.
    #[inline(never)]
    pub fn both(&self) -> Result<Rates> {
        let mut data = [0; 32];
        self.call(&BOTH, &mut data)?;
        let (liquidate, operate) = data.split_at(16);
        Ok(Rates { liquidate: number(liquidate), operate: number(operate) })
    }

    /// Returns the rate for liquidations.
    #[inline(never)]
    pub fn liquidate(&self) -> Result<u128> {
        let mut data = [0; 16];
        self.call(&LIQUIDATE, &mut data)?;
        Ok(number(&data))
    }

    /// Fails with InvalidAccountData if the oracle returns another number of bytes.
    fn call(&self, tag: &[u8; 8], result: &mut [u8]) -> Result {
        let mut data = [0; 10];
        data[..8].copy_from_slice(tag);
        data[8..].copy_from_slice(&self.nonce.to_le_bytes());
        let mut accounts = List::<CpiAccount>::with_capacity(1 + self.sources.len())?;
        accounts.push(self.account.readonly())?;
        for source in self.sources {
            accounts.push(source.readonly())?;
        }
        cpi::invoke(self.program.address(), &accounts, &data, &[])?;
        match cpi::return_data(result) {
            Some((program, len)) if program == *self.program.address() && len == result.len() => Ok(()),
            _ => Err(ProgramError::INVALID_ACCOUNT_DATA),
        }
    }
}

fn number(bytes: &[u8]) -> u128 {
    bytes.first_chunk().map_or(0, |bytes| u128::from_le_bytes(*bytes))
}

/// A rate between raw amounts: rounded down and capped, and rounded up without a cap.
pub struct RawRate {
    pub floor: u128,
    pub ceil: u128,
}

/// Converts a rate to raw amounts. Fails with VaultInvalidOraclePrice if it is below `min` or above 10^9.
#[inline(always)]
pub fn raw_rate(rate: u128, min: u128, prices: &Prices) -> Result<RawRate> {
    if rate > MAX_RATE || rate < min {
        return Err(INVALID_ORACLE_PRICE.into());
    }
    let (floor, rest) = mul_div_rem(rate, prices.vault_supply as u128, prices.vault_borrow as u128)?;
    if floor == 0 {
        return Err(INVALID_ORACLE_PRICE.into());
    }
    Ok(RawRate { floor: floor.min(RATE_CAP), ceil: floor + (rest != 0) as u128 })
}
