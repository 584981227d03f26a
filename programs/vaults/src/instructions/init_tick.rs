//! Creates a tick of a vault.

use crate::checks;
use crate::error::{ADMIN_VAULT_ID_MISMATCH, INVALID_TICK};
use crate::events;
use crate::instructions::vault_id;
use crate::keys::TICK_SEED;
use crate::math::tick::{MAX_TICK, MIN_TICK};
use crate::state::config::Config;
use crate::state::tick::{Tick, LEN};
use sluice_program::anchor::{self, decoded};
use sluice_program::{system, Account, Result};

const EVENT: [u8; 8] = anchor::event("LogInitTick");

/// Returns the seed of a tick: its distance from the lowest tick. Fails with VaultInvalidTick if it is out of range.
pub fn seed(tick: i32) -> Result<[u8; 4]> {
    checks::require((MIN_TICK..=MAX_TICK).contains(&tick), INVALID_TICK)?;
    Ok((tick - MIN_TICK).to_le_bytes())
}

/// Arguments: the vault's id, the tick. Any wallet may sign; it pays the rent.
pub fn run(accounts: &[Account], args: &[u8]) -> Result {
    let (vault, mut from) = vault_id(args)?;
    let tick = decoded(from.u32())? as i32;
    let (&[signer, config, account, system_program], _) = anchor::accounts(accounts)?;
    anchor::check_signer(signer, "signer")?;
    let config = Config::load(config)?;
    anchor::check_program(system_program, &[system::PROGRAM], "system_program")?;
    checks::create(signer, account, &[TICK_SEED, &vault.to_le_bytes(), &seed(tick)?], LEN, "tick_data")?;
    checks::require(vault == config.vault_id, ADMIN_VAULT_ID_MISMATCH)?;
    Tick::new(account, vault, tick).store()?;
    events::address(&EVENT, account.address())
}
