//! The instruction `update_fees_and_rewards`.

use super::check_position;
use crate::error::LIQUIDITY_ZERO;
use crate::instructions::now;
use crate::state::pool::Pool;
use crate::state::position::Position;
use crate::state::tick_array::TickArray;
use sluice_program::anchor;
use sluice_program::{Account, Result};

/// Records what a position with liquidity has earned so far.
pub fn update(accounts: &[Account], _: &[u8]) -> Result {
    let (&[pool_account, position_account, lower, upper], _) = anchor::accounts(accounts)?;
    let mut pool = Pool::load(pool_account, "whirlpool")?;
    let mut position = Position::load(position_account, "position")?;
    anchor::check_writable(pool_account, "whirlpool")?;
    anchor::check_writable(position_account, "position")?;
    check_position(&position, pool_account)?;
    let now = now()?;
    let spacing = pool.tick_spacing as i32;
    let lower = TickArray::load_readonly(lower, pool_account.address())?.tick(position.lower, spacing)?;
    let upper = TickArray::load_readonly(upper, pool_account.address())?.tick(position.upper, spacing)?;
    if position.liquidity == 0 {
        return Err(LIQUIDITY_ZERO.into());
    }
    pool.update_rewards(now)?;
    position.earn(&pool, [&lower, &upper]);
    position.save(position_account)?;
    pool.save(pool_account)
}
