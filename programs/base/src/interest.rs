//! The growth of the liquidity program's exchange prices with the interest that borrowers pay. Both the liquidity
//! program and the lending program compute it.

use crate::error::Result;
use crate::{math, wide};

crate::errors! {
    LIBRARY_MATH = 6000 LibraryMathError "LIBRARY_MATH_ERROR"
    LIBRARY_CASTING = 6001 LibraryCastingFailure "LIBRARY_CASTING_ERROR"
    EXCHANGE_PRICE_ZERO = 6039 ExchangePriceZero "LIQUIDITY_CALCS_EXCHANGE_PRICE_ZERO"
}

/// The exchange price 1.0.
pub const PRICE_ONE: u64 = 1_000_000_000_000;
/// 100 percent of a rate, a fee or a utilization.
pub const WHOLE: u64 = 10_000;

pub const YEAR: u64 = 31_536_000;
/// A year in seconds, times 100 percent three times: for the rate, for the share of the yield, and for the fee.
const YEAR_AND_SHARES: u128 = 31_536_000_000_000_000_000;
/// The ratio 1.0 of two amounts.
const RATIO_ONE: u128 = 1_000_000_000_000_000_000_000_000_000;

/// The fields of a reserve on which its prices depend. Amounts with interest are raw.
#[derive(Clone, Copy)]
pub struct Accrual {
    pub supply_exchange_price: u64,
    pub borrow_exchange_price: u64,
    pub borrow_rate: u16,
    pub fee_on_interest: u16,
    pub last_utilization: u16,
    /// A Unix second.
    pub last_update: u64,
    pub supply_with_interest: u64,
    pub supply_interest_free: u64,
    pub borrow_with_interest: u64,
    pub borrow_interest_free: u64,
}

/// The exchange prices of a reserve.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Prices {
    pub supply: u64,
    pub borrow: u64,
}

/// Returns the prices at second `now`. Fails with LibraryMathError or LibraryCastingFailure if a number exceeds its
/// range.
#[inline(never)]
pub fn prices_at(reserve: &Accrual, now: u64) -> Result<Prices> {
    let before = Prices { supply: reserve.supply_exchange_price, borrow: reserve.borrow_exchange_price };
    if before.supply == 0 || before.borrow == 0 {
        return Err(EXCHANGE_PRICE_ZERO.into());
    }
    let seconds = sub(now, reserve.last_update)?;
    let rate = reserve.borrow_rate as u64;
    if seconds == 0 || rate == 0 || reserve.borrow_with_interest == 0 {
        return Ok(before);
    }
    Ok(Prices {
        supply: supply_price(reserve, before.supply, seconds)?,
        borrow: borrow_price(before.borrow, rate, seconds)?,
    })
}

/// Computes the price of debt. Interest is rounded up for borrowers.
fn borrow_price(price: u64, rate: u64, seconds: u64) -> Result<u64> {
    let scaled = math::checked_mul(rate, seconds).ok_or(LIBRARY_MATH)?;
    let year = const { YEAR * WHOLE };
    let interest = math::mul_div_ceil(price, scaled, year).ok_or(LIBRARY_CASTING)?;
    add(price, interest)
}

/// Computes the price of supply. Interest is rounded down for suppliers.
fn supply_price(reserve: &Accrual, price: u64, seconds: u64) -> Result<u64> {
    if reserve.supply_with_interest == 0 {
        return Ok(price);
    }
    let share = share_of_yield(reserve)?;
    // The product of a u16 and at most 10,000 fits a u64.
    let kept = (reserve.borrow_rate as u64).wrapping_mul(sub(WHOLE, reserve.fee_on_interest as u64)?);
    let rate = math::checked_mul(kept, share).ok_or(LIBRARY_MATH)?;
    let grown = math::widening_mul(price, rate);
    let interest = wide::mul_div_floor(grown, seconds as u128, YEAR_AND_SHARES).ok_or(LIBRARY_MATH)?;
    add(price, narrow(interest)?)
}

/// Returns the share of the borrow rate, in 10,000ths, that suppliers with interest earn before the fee. It is the
/// utilization, increased if others supply without interest, and reduced if others borrow without interest.
fn share_of_yield(reserve: &Accrual) -> Result<u64> {
    let utilization = reserve.last_utilization as u64;
    if reserve.supply_interest_free == 0 && reserve.borrow_interest_free == 0 {
        return Ok(utilization);
    }
    let earning = supply_share(reserve, utilization)?;
    let paying = paying_share(reserve)?;
    let scaled = wide::checked_mul(earning, WHOLE as u128).ok_or(LIBRARY_MATH)?;
    let product = wide::mul_div_floor(scaled, paying, RATIO_ONE).ok_or(LIBRARY_MATH)?;
    narrow(wide::div_floor(product, RATIO_ONE).ok_or(LIBRARY_MATH)?)
}

/// Returns the utilization relative to the supply with interest, as a ratio.
fn supply_share(reserve: &Accrual, utilization: u64) -> Result<u128> {
    let (with_interest, free) = (reserve.supply_with_interest, reserve.supply_interest_free);
    if free > with_interest {
        let part = ratio(with_interest, free)?;
        if part == 0 {
            return Ok(0);
        }
        let others =
            wide::div_floor(const { RATIO_ONE * WHOLE as u128 }, part as u128).ok_or(LIBRARY_MATH)?;
        let whole = wide::checked_mul(RATIO_ONE + others, utilization as u128).ok_or(LIBRARY_MATH)?;
        return wide::div_floor(whole, WHOLE as u128).ok_or_else(|| LIBRARY_MATH.into());
    }
    // The divisor contains 10,000 twice, so this remains of the ratio 1.0.
    let unit = const { RATIO_ONE / (WHOLE as u128 * WHOLE as u128) };
    let shares = utilization.wrapping_mul(WHOLE + ratio(free, with_interest)?);
    wide::checked_mul(shares as u128, unit).ok_or_else(|| LIBRARY_MATH.into())
}

/// Returns the part of all borrowing that pays interest, as a ratio.
fn paying_share(reserve: &Accrual) -> Result<u128> {
    let (with_interest, free) = (reserve.borrow_with_interest, reserve.borrow_interest_free);
    if free > with_interest {
        let part = ratio(with_interest, free)?;
        let scaled = wide::checked_mul(RATIO_ONE, part as u128).ok_or(LIBRARY_MATH)?;
        return wide::div_floor(scaled, (WHOLE + part) as u128).ok_or_else(|| LIBRARY_MATH.into());
    }
    let part = ratio(free, with_interest)?;
    wide::div_ceil(const { RATIO_ONE * WHOLE as u128 }, (WHOLE + part) as u128)
        .ok_or_else(|| LIBRARY_MATH.into())
}

/// Returns the smaller amount in 10,000ths of the larger one, rounded down.
fn ratio(part: u64, of: u64) -> Result<u64> {
    math::mul_div_floor(part, WHOLE, of).ok_or_else(|| LIBRARY_MATH.into())
}

fn add(a: u64, b: u64) -> Result<u64> {
    a.checked_add(b).ok_or_else(|| LIBRARY_MATH.into())
}

fn sub(a: u64, b: u64) -> Result<u64> {
    a.checked_sub(b).ok_or_else(|| LIBRARY_MATH.into())
}

fn narrow(value: u128) -> Result<u64> {
    math::narrow(value).ok_or_else(|| LIBRARY_CASTING.into())
}
