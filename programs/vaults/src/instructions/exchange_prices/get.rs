//! The instruction `get_exchange_prices`.

use super::Context;
use crate::checks;
use crate::prices;
use sluice_program::bytes::Writer;
use sluice_program::{anchor, cpi, Account, Result};

/// Returns four u128: the liquidity program's prices of supply and debt, then the vault's.
pub fn get(accounts: &[Account]) -> Result {
    let (&[vault, config, supply, borrow], _) = anchor::accounts(accounts)?;
    let Context { vault, config, reserves } = Context::load(vault, config, supply, borrow)?;
    checks::same_vault(config.vault_id, vault.vault_id)?;
    let prices = prices::current(&vault, &config, &reserves)?;
    let mut data = [0; 4 * 16];
    let mut to = Writer::new(&mut data);
    for price in [prices.liquidity_supply, prices.liquidity_borrow, prices.vault_supply, prices.vault_borrow]
    {
        to.u128(price as u128)?;
    }
    cpi::set_return_data(&data);
    Ok(())
}
