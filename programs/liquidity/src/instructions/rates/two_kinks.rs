//! The instruction `update_rate_data_v2`.

use super::{finish, numbers};
use crate::error::INVALID_PARAMS;
use crate::instructions::reserve_accounts::ReserveAccounts;
use crate::math::curve::Corner;
use crate::math::{narrow_u16, WHOLE};
use crate::refresh::{accrue, now};
use sluice_program::anchor;
use sluice_program::{Account, Result};

const TWO_KINKS: [u8; 8] = anchor::event("LogUpdateRateDataV2");

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
