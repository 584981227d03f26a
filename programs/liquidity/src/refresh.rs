//! Updates of a reserve's prices, utilization and rate to the present time.

use crate::error::LIBRARY_CASTING;
use crate::state::rate_model::RateModel;
use crate::state::totals::Totals;
use sluice_lending::state::Reserve;
use sluice_program::interest::{self, Prices};
use sluice_program::sysvar::Clock;
use sluice_program::Result;

/// Returns the Unix second of the slot.
pub fn now() -> Result<u64> {
    u64::try_from(Clock::get()?.unix_timestamp).map_err(|_| LIBRARY_CASTING.into())
}

/// Sets the prices as of `now` and logs them. It is called before the rate changes, so that interest until now
/// accrues at the old rate.
#[inline(never)]
pub fn accrue(reserve: &mut Reserve, now: u64) -> Result<Prices> {
    let prices = interest::prices_at(&reserve.accrual(), now)?;
    reserve.set_prices(prices);
    reserve.last_update = now;
    crate::events::exchange_prices(reserve)?;
    Ok(prices)
}

/// Sets prices, utilization and rate as of `now`, and logs them.
#[inline(never)]
pub fn refresh(reserve: &mut Reserve, rates: &RateModel, now: u64) -> Result<Prices> {
    let prices = interest::prices_at(&reserve.accrual(), now)?;
    reserve.set_prices(prices);
    reserve.last_update = now;
    reserve.last_utilization = reserve.utilization()?;
    set_rate(reserve, rates)?;
    crate::events::exchange_prices(reserve)?;
    Ok(prices)
}

/// Sets the rate that belongs to the utilization. A rate that exceeds its field is reduced to the maximum, and an
/// event reports that.
#[inline(never)]
pub fn set_rate(reserve: &mut Reserve, rates: &RateModel) -> Result {
    let rate = rates.borrow_rate(reserve.last_utilization)?;
    reserve.borrow_rate = rate.min(u16::MAX as u64) as u16;
    if rate > u16::MAX as u64 {
        crate::events::borrow_rate_cap(&reserve.mint)?;
    }
    Ok(())
}
