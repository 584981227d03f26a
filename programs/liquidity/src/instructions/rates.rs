//! The instructions that set a token's rate curve.

use crate::error::INVALID_PARAMS;
use crate::instructions::reserve_accounts::ReserveAccounts;
use crate::math::curve::Corner;
use crate::math::{narrow_u16, WHOLE};
use crate::refresh::{accrue, now, refresh};
use sluice_program::anchor::{self, decoded};
use sluice_program::bytes::Reader;
use sluice_program::{event, Account, Result};

const ONE_KINK: [u8; 8] = anchor::event("LogUpdateRateDataV1");
const TWO_KINKS: [u8; 8] = anchor::event("LogUpdateRateDataV2");

/// Arguments: the utilization of the kink, and the rates at zero, at the kink and at 100 percent. Signed by an auth.
pub fn one_kink(accounts: &[Account], args: &[u8]) -> Result {
    let [kink, at_zero, at_kink, at_max] = numbers(args)?;
    let mut context = ReserveAccounts::by_auth(accounts)?;
    accrue(&mut context.reserve, now()?)?;
    if kink == 0 || kink >= WHOLE as u128 || at_kink > at_max {
        return Err(INVALID_PARAMS.into());
    }
    let rates = &mut context.rates;
    rates.version = 1;
    rates.rate_at_zero = narrow_u16(at_zero)?;
    rates.kink1 = Corner { utilization: narrow_u16(kink)?, rate: narrow_u16(at_kink)? };
    rates.rate_at_max = narrow_u16(at_max)?;
    finish(&mut context, &ONE_KINK, args)
}

/// Arguments: the utilizations of both kinks, and the rates at zero, at the kinks and at 100 percent. Signed by an
/// auth.
pub fn two_kinks(accounts: &[Account], args: &[u8]) -> Result {
    let [kink1, kink2, at_zero, at_kink1, at_kink2, at_max] = numbers(args)?;
    let mut context = ReserveAccounts::by_auth(accounts)?;
    accrue(&mut context.reserve, now()?)?;
    if kink1 == 0 || kink1 >= kink2 || kink2 >= WHOLE as u128 || at_kink2 > at_max {
        return Err(INVALID_PARAMS.into());
    }
    let rates = &mut context.rates;
    rates.version = 2;
    rates.rate_at_zero = narrow_u16(at_zero)?;
    rates.kink1 = Corner { utilization: narrow_u16(kink1)?, rate: narrow_u16(at_kink1)? };
    rates.kink2 = Corner { utilization: narrow_u16(kink2)?, rate: narrow_u16(at_kink2)? };
    rates.rate_at_max = narrow_u16(at_max)?;
    finish(&mut context, &TWO_KINKS, args)
}

#[inline(never)]
fn finish(context: &mut ReserveAccounts, tag: &[u8; 8], args: &[u8]) -> Result {
    context.rates.store(context.rate_model)?;
    refresh(&mut context.reserve, &context.rates, now()?)?;
    context.reserve.store(context.account)?;
    event::log(tag, |event| {
        event.address(&context.reserve.mint)?;
        event.bytes(args)
    })
}

fn numbers<const N: usize>(args: &[u8]) -> Result<[u128; N]> {
    let mut from = Reader::new(args);
    let mut numbers = [0; N];
    for number in &mut numbers {
        *number = decoded(from.u128())?;
    }
    Ok(numbers)
}
