//! Creates an account for the past liquidations of a tick.

use crate::checks;
use crate::error::{ADMIN_TICK_MISMATCH, ADMIN_VAULT_ID_MISMATCH, LIBRARY_MATH};
use crate::instructions::{init_tick, vault_id};
use crate::keys::PAST_TICK_SEED;
use crate::state::past_tick::{map_of, PastTick, LEN};
use crate::state::tick::Tick;
use sluice_program::anchor::{self, decoded};
use sluice_program::{event, system, Account, Result};

const EVENT: [u8; 8] = anchor::event("LogInitTickIdLiquidation");

/// Arguments: the vault's id, the tick, and one of the three ids that the account covers. Any wallet may sign; it
/// pays the rent.
pub fn run(accounts: &[Account], args: &[u8]) -> Result {
    let (vault, mut from) = vault_id(args)?;
    let tick = decoded(from.u32())? as i32;
    let id = decoded(from.u32())?;
    let (&[signer, tick_data, account, system_program], _) = anchor::accounts(accounts)?;
    anchor::check_signer(signer, "signer")?;
    let of = Tick::read(tick_data, "tick_data")?;
    anchor::check_program(system_program, &[system::PROGRAM], "system_program")?;
    let map = map_of(id).ok_or(LIBRARY_MATH)?;
    let (vault_seed, tick_seed) = (vault.to_le_bytes(), init_tick::seed(tick)?);
    let seeds: [&[u8]; 4] = [PAST_TICK_SEED, &vault_seed, &tick_seed, &map.to_le_bytes()];
    checks::create(signer, account, &seeds, LEN, "tick_id_liquidation")?;
    checks::require(vault == of.vault_id, ADMIN_VAULT_ID_MISMATCH)?;
    checks::require(tick == of.tick, ADMIN_TICK_MISMATCH)?;
    PastTick::begin(account, vault, tick, map)?;
    event::log(&EVENT, |event| {
        event.address(account.address())?;
        event.u32(tick as u32)
    })
}
