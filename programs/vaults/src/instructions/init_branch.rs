//! Creates a branch of a vault.

use crate::checks;
use crate::error::ADMIN_VAULT_ID_MISMATCH;
use crate::instructions::vault_id;
use crate::keys::BRANCH_SEED;
use crate::state::branch::{Branch, LEN};
use crate::state::config::Config;
use sluice_program::anchor::{self, decoded};
use sluice_program::{event, system, Account, Result};

const EVENT: [u8; 8] = anchor::event("LogInitBranch");

/// Arguments: the ids of the vault and of the branch. Any wallet may sign; it pays the rent.
pub fn run(accounts: &[Account], args: &[u8]) -> Result {
    let (vault, mut from) = vault_id(args)?;
    let id = decoded(from.u32())?;
    let (&[signer, config, account, system_program], _) = anchor::accounts(accounts)?;
    anchor::check_signer(signer, "signer")?;
    let config = Config::load(config)?;
    anchor::check_program(system_program, &[system::PROGRAM], "system_program")?;
    checks::create(signer, account, &[BRANCH_SEED, &vault.to_le_bytes(), &id.to_le_bytes()], LEN, "branch")?;
    checks::require(vault == config.vault_id, ADMIN_VAULT_ID_MISMATCH)?;
    Branch::new(account, vault, id).store()?;
    event::log(&EVENT, |event| {
        event.address(account.address())?;
        event.u32(id)
    })
}
