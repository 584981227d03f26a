//! A vault's exchange prices. They follow those of the liquidity program and add or subtract the vault's own part.

use crate::error::LIQUIDITY_EXCHANGE_PRICE_UNEXPECTED;
use crate::events;
use crate::math::{add, div, div_up, mul, narrow, sub, WHOLE};
use crate::state::config::Config;
use crate::state::liquidity::Reserve;
use crate::state::vault::{Prices, Vault};
use sluice_program::interest::{self, LIBRARY_CASTING, YEAR};
use sluice_program::sysvar::Clock;
use sluice_program::Result;

/// The growth factor 1.0 of a price.
const GROWTH_ONE: u128 = 1_000_000_000_000_000_000;

/// Returns the Unix second of the slot.
pub fn now() -> Result<u64> {
    u64::try_from(Clock::get()?.unix_timestamp).map_err(|_| LIBRARY_CASTING.into())
}

/// The reserves of a vault's two tokens.
pub struct Reserves {
    pub supply: Reserve,
    pub borrow: Reserve,
}

/// Computes the prices at the present time. Fails with VaultLiquidityExchangePriceUnexpected if a price of the
/// liquidity program fell.
#[inline(never)]
pub fn current(vault: &Vault, config: &Config, reserves: &Reserves) -> Result<Prices> {
    let now = now()?;
    let before = &vault.prices;
    let liquidity_supply = interest::prices_at(&reserves.supply.accrual, now)?.supply;
    let liquidity_borrow = interest::prices_at(&reserves.borrow.accrual, now)?.borrow;
    if liquidity_supply < before.liquidity_supply || liquidity_borrow < before.liquidity_borrow {
        return Err(LIQUIDITY_EXCHANGE_PRICE_UNEXPECTED.into());
    }
    let seconds = sub(now as u128, vault.last_update as u128)?;
    let seconds = narrow(seconds)?;
    let supply = Magnifier { share: config.terms.supply_rate_magnifier, price: before.vault_supply, seconds };
    let grown = mul(before.vault_supply as u128, growth(before.liquidity_supply, liquidity_supply)?)?;
    let vault_supply = supply.apply(div(grown, GROWTH_ONE)?)?;
    let borrow = Magnifier { share: config.terms.borrow_rate_magnifier, price: before.vault_borrow, seconds };
    let grown = mul(before.vault_borrow as u128, growth(before.liquidity_borrow, liquidity_borrow)?)?;
    let vault_borrow = borrow.apply(div_up(grown, GROWTH_ONE)?)?;
    Ok(Prices { liquidity_supply, liquidity_borrow, vault_supply, vault_borrow })
}

/// Updates the prices in `vault` to the present time, and logs them.
#[inline(never)]
pub fn update(vault: &mut Vault, config: &Config, reserves: &Reserves) -> Result {
    vault.prices = current(vault, config, reserves)?;
    vault.last_update = now()?;
    events::exchange_prices(&vault.prices)
}

fn growth(before: u64, after: u64) -> Result<u128> {
    div(mul(after as u128, GROWTH_ONE)?, before as u128)
}

/// The vault's own part of a yearly rate, which may be negative.
struct Magnifier {
    /// In 10,000ths.
    share: i16,
    /// The price of which `share` is a part.
    price: u64,
    seconds: u64,
}

impl Magnifier {
    /// Returns `grown` plus the magnifier's part of the growth.
    #[inline(always)]
    fn apply(&self, grown: u128) -> Result<u64> {
        let share = self.share.unsigned_abs() as u128;
        if share == 0 {
            return narrow(grown);
        }
        let scaled = mul(mul(self.price as u128, self.seconds as u128)?, share)?;
        let change = div(div(scaled, WHOLE)?, YEAR as u128)?;
        narrow(if self.share > 0 { add(grown, change)? } else { sub(grown, change)? })
    }
}
