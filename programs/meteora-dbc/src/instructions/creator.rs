//! The instruction `transfer_pool_creator`.

use crate::error::{require, INVALID_NEW_CREATOR, NOT_PERMIT_TO_DO_THIS_ACTION, UNAUTHORIZED};
use crate::events;
use crate::refused::refuse_named;
use crate::state::config::{PoolConfig, DAMM_V1};
use crate::state::pool::{VirtualPool, CREATED_POOL, PRE_BONDING_CURVE};
use sluice_program::{anchor, Account, Result};

const EVENT: [u8; 8] = anchor::event("EvtUpdatePoolCreator");

/// Accounts: pool, configuration, creator, the new creator. There are no arguments. A creator leaves before the curve
/// is sold out, or after the migration.
pub fn transfer(accounts: &[Account]) -> Result {
    let (&[account, config_account, creator, new_creator, event_authority, _], _) =
        anchor::accounts::<6>(accounts)?;
    let mut pool = VirtualPool::load(account, "virtual_pool")?;
    let config = PoolConfig::load(config_account, "config")?;
    anchor::check_signer(creator, "creator")?;
    anchor::check_writable(account, "virtual_pool")?;
    if pool.config != *config_account.address() {
        return Err(anchor::CONSTRAINT_HAS_ONE.of("virtual_pool"));
    }
    require(!new_creator.is(creator), INVALID_NEW_CREATOR)?;
    events::check_authority(event_authority)?;
    require(pool.creator == *creator.address(), UNAUTHORIZED)?;
    match pool.progress()? {
        PRE_BONDING_CURVE => {}
        // What is left to claim and to lock in DAMM v1 would be the old creator's.
        CREATED_POOL if config.migration_option == DAMM_V1 => {
            return Err(refuse_named("the transfer of a pool that migrated to DAMM v1"));
        }
        CREATED_POOL => {}
        _ => return Err(NOT_PERMIT_TO_DO_THIS_ACTION.into()),
    }
    pool.creator = *new_creator.address();
    pool.save(account)?;
    events::emit(event_authority, &EVENT, |event| {
        for address in [account.address(), creator.address(), new_creator.address()] {
            event.address(address)?;
        }
        Ok(())
    })
}
