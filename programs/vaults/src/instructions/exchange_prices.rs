//! The instructions that return and update a vault's exchange prices.

use crate::checks;
use crate::error::ADMIN_VAULT_ID_MISMATCH;
use crate::instructions::vault_id;
use crate::prices::{self, Reserves};
use crate::state::config::Config;
use crate::state::vault::Vault;
use sluice_program::bytes::Writer;
use sluice_program::{anchor, cpi, Account, Result};

struct Context {
    vault: Vault,
    config: Config,
    reserves: Reserves,
}

impl Context {
    fn load(vault: Account, config: Account, supply: Account, borrow: Account) -> Result<Self> {
        let vault = Vault::load(vault)?;
        let config = Config::load(config)?;
        let reserves = checks::reserves(&config, supply, borrow)?;
        Ok(Self { vault, config, reserves })
    }
}

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

/// Argument: the vault's id. Updates the prices to the present time. Any wallet may send it.
pub fn update(accounts: &[Account], args: &[u8]) -> Result {
    let (id, _) = vault_id(args)?;
    let (&[account, config, supply, borrow], _) = anchor::accounts(accounts)?;
    let Context { mut vault, config, reserves } = Context::load(account, config, supply, borrow)?;
    anchor::check_writable(account, "vault_state")?;
    checks::require(id == config.vault_id && id == vault.vault_id, ADMIN_VAULT_ID_MISMATCH)?;
    prices::update(&mut vault, &config, &reserves)?;
    vault.store(account)
}
