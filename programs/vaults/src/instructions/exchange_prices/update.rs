//! The instruction `update_exchange_prices`.

use super::Context;
use crate::checks;
use crate::error::ADMIN_VAULT_ID_MISMATCH;
use crate::instructions::vault_id;
use crate::prices;
use sluice_program::{anchor, Account, Result};

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
