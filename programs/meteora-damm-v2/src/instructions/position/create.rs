//! The instruction `create_position`.

use super::NewPosition;
use crate::activation::is_enabled;
use crate::error::POOL_DISABLED;
use crate::events;
use crate::state::pool::Pool;
use sluice_program::{anchor, system, Account, Result};

/// Creates a position. It belongs to the holder of the only token that is minted. There are no arguments.
pub fn create(accounts: &[Account], _: &[u8]) -> Result {
    let (&[owner, mint, holding, pool_account, position, authority, payer, ref rest @ ..], _) =
        anchor::accounts::<11>(accounts)?;
    let &[token_program, system_program, event_authority, _] = rest;
    let mut pool = Pool::load(pool_account, "pool")?;
    let made =
        NewPosition { owner, mint, holding, position, pool: pool_account, authority, payer, token_program };
    made.check()?;
    anchor::check_writable(pool_account, "pool")?;
    anchor::check_program(system_program, &[system::PROGRAM], "system_program")?;
    events::check_authority(event_authority)?;
    made.create_token()?;
    made.create_account()?;
    made.initialize(0)?;
    if !is_enabled(&pool)? {
        return Err(POOL_DISABLED.into());
    }
    pool.positions = pool.positions.wrapping_add(1);
    pool.save(pool_account)?;
    made.mint_token()?;
    made.emit(event_authority)
}
