//! Creates an account of a vault's debt map.

use crate::checks;
use crate::error::{ADMIN_VAULT_ID_MISMATCH, TICK_HAS_DEBT_OUT_OF_RANGE};
use crate::events;
use crate::instructions::vault_id;
use crate::keys::DEBT_MAP_SEED;
use crate::state::config::Config;
use crate::state::debt_map::{self, LEN};
use sluice_program::anchor::{self, decoded};
use sluice_program::{system, Account, Result};

const EVENT: [u8; 8] = anchor::event("LogInitTickHasDebtArray");
const COUNT: u8 = 16;

/// Arguments: the vault's id, and which sixteenth of the ticks the account covers. Any wallet may sign; it pays the
/// rent.
pub fn run(accounts: &[Account], args: &[u8]) -> Result {
    let (vault, mut from) = vault_id(args)?;
    let index = decoded(from.u8())?;
    let (&[signer, config, account, system_program], _) = anchor::accounts(accounts)?;
    anchor::check_signer(signer, "signer")?;
    let config = Config::load(config)?;
    anchor::check_program(system_program, &[system::PROGRAM], "system_program")?;
    checks::require(index < COUNT, TICK_HAS_DEBT_OUT_OF_RANGE)?;
    let seeds: [&[u8]; 3] = [DEBT_MAP_SEED, &vault.to_le_bytes(), &[index]];
    checks::create(signer, account, &seeds, LEN, "tick_has_debt_array")?;
    checks::require(vault == config.vault_id, ADMIN_VAULT_ID_MISMATCH)?;
    debt_map::begin(account, vault, index)?;
    events::address(&EVENT, account.address())
}
