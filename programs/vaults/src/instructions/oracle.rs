//! Replaces a vault's oracle.

use crate::checks;
use crate::error::{ADMIN_VAULT_ID_MISMATCH, INVALID_ORACLE};
use crate::events;
use crate::instructions::vault_id;
use crate::prices;
use crate::state::admin::Admin;
use crate::state::config::Config;
use crate::state::oracle;
use crate::state::vault::Vault;
use sluice_program::{anchor, Account, Result};

const EVENT: [u8; 8] = anchor::event("LogUpdateOracle");

/// Argument: the vault's id. Signed by an auth. The new oracle is one of the accounts.
pub fn run(accounts: &[Account], args: &[u8]) -> Result {
    let (id, _) = vault_id(args)?;
    let (&[authority, admin, vault_account, config_account, new_oracle, supply, borrow], _) =
        anchor::accounts(accounts)?;
    Admin::load(admin)?.check_auth(authority)?;
    let mut vault = Vault::load_writable(vault_account)?;
    let mut config = Config::load(config_account)?;
    anchor::check_writable(config_account, "vault_config")?;
    oracle::nonce(new_oracle, "new_oracle")?;
    checks::require(id == config.vault_id && id == vault.vault_id, ADMIN_VAULT_ID_MISMATCH)?;
    let reserves = checks::reserves(&config, supply, borrow)?;
    checks::require(*new_oracle.address() != config.oracle, INVALID_ORACLE)?;
    prices::update(&mut vault, &config, &reserves)?;
    vault.store(vault_account)?;
    config.oracle = *new_oracle.address();
    config.store(config_account)?;
    events::address(&EVENT, new_oracle.address())
}
