//! The instruction `update_rate_data_v1`.

use super::{finish, numbers};
use crate::error::INVALID_PARAMS;
use crate::instructions::reserve_accounts::ReserveAccounts;
use crate::math::curve::Corner;
use crate::math::{narrow_u16, WHOLE};
use crate::refresh::{accrue, now};
use sluice_program::anchor;
use sluice_program::{Account, Result};

const ONE_KINK: [u8; 8] = anchor::event("LogUpdateRateDataV1");

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
