//! Creates a vault's state.

use crate::checks;
use crate::error::{ADMIN_VAULT_ID_MISMATCH, TOKEN_NOT_INITIALIZED};
use crate::events;
use crate::instructions::vault_id;
use crate::keys::STATE_SEED;
use crate::math::tick::NO_TICK;
use crate::prices::now;
use crate::state::admin::Admin;
use crate::state::config::Config;
use crate::state::vault::{Prices, Vault};
use sluice_program::interest::{self, PRICE_ONE};
use sluice_program::layout::Layout;
use sluice_program::{anchor, system, Account, Result};

const EVENT: [u8; 8] = anchor::event("LogInitVaultState");

/// Argument: the vault's id. Signed by an auth. Both tokens must have reserves at the liquidity program.
pub fn run(accounts: &[Account], args: &[u8]) -> Result {
    let (id, _) = vault_id(args)?;
    let (&[authority, admin, config, account, supply, borrow, system_program], _) =
        anchor::accounts(accounts)?;
    Admin::load(admin)?.check_auth(authority)?;
    let config = Config::load(config)?;
    anchor::check_program(system_program, &[system::PROGRAM], "system_program")?;
    checks::create(authority, account, &[STATE_SEED, &id.to_le_bytes()], Vault::SPACE, "vault_state")?;
    checks::require(id == config.vault_id, ADMIN_VAULT_ID_MISMATCH)?;
    let reserves = checks::reserves(&config, supply, borrow)?;
    let now = now()?;
    let liquidity_supply = interest::prices_at(&reserves.supply.accrual, now)?.supply;
    let liquidity_borrow = interest::prices_at(&reserves.borrow.accrual, now)?.borrow;
    let ready = liquidity_supply >= PRICE_ONE && liquidity_borrow >= PRICE_ONE;
    checks::require(ready, TOKEN_NOT_INITIALIZED)?;
    Vault {
        vault_id: id,
        branch_liquidated: false,
        topmost_tick: NO_TICK,
        current_branch_id: 1,
        total_branch_id: 1,
        total_supply: 0,
        total_borrow: 0,
        total_positions: 0,
        absorbed_debt: 0,
        absorbed_col: 0,
        absorbed_dust_debt: 0,
        prices: Prices {
            liquidity_supply,
            liquidity_borrow,
            vault_supply: PRICE_ONE,
            vault_borrow: PRICE_ONE,
        },
        next_position_id: 1,
        last_update: now,
    }
    .store(account)?;
    events::address(&EVENT, account.address())
}
