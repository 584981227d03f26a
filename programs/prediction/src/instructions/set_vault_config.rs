//! The instruction `set_vault_config`.

use sluice_program::anchor::{self, decoded};
use sluice_program::bytes::Reader;
use sluice_program::sysvar::Clock;
use sluice_program::{layout, Account, Result};

use crate::errors::{INVALID_FEE, INVALID_MAX_CONTRACTS, INVALID_MAX_OPEN_ORDERS, INVALID_VAULT_CONFIG};
use crate::events::emit_config_updated;
use crate::vault::Vault;

/// The highest fee of the protocol: a tenth.
const MAX_PROTOCOL_BPS: u16 = 1_000;
/// The longest time that the keeper waits before it claims for an owner: 30 days.
const MAX_DELAY: u64 = 30 * 86_400;

/// The admin sets the limits. They bind what comes afterwards, and end nothing.
pub fn run(accounts: &[Account], args: &[u8]) -> Result {
    let (accounts, _) = anchor::accounts::<2>(accounts)?;
    let &[admin, vault] = accounts;
    let mut state = Vault::load(vault)?;
    state.check_admin(admin)?;
    read(&mut state, &mut Reader::new(args))?;
    if state.position_max_contracts == 0 || state.position_max_contracts > state.global_max_contracts {
        return Err(INVALID_MAX_CONTRACTS.into());
    }
    if state.position_max_orders == 0 {
        return Err(INVALID_MAX_OPEN_ORDERS.into());
    }
    if state.protocol_fee_bps > MAX_PROTOCOL_BPS {
        return Err(INVALID_FEE.into());
    }
    if state.settlement_delay_seconds > MAX_DELAY {
        return Err(INVALID_VAULT_CONFIG.into());
    }
    layout::store(&state, vault)?;
    emit_config_updated(&state, Clock::get()?.unix_timestamp)
}

#[inline(never)]
fn read(state: &mut Vault, from: &mut Reader) -> Result {
    state.global_max_contracts = decoded(from.u64())?;
    state.position_max_contracts = decoded(from.u64())?;
    state.position_max_orders = decoded(from.u32())?;
    state.protocol_fee_bps = decoded(from.u16())?;
    state.settlement_delay_seconds = decoded(from.u64())?;
    state.deposits_disabled = decoded(from.bool())?;
    state.withdrawals_disabled = decoded(from.bool())?;
    state.trading_disabled = decoded(from.bool())?;
    Ok(())
}
