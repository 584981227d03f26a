//! The instruction `refresh_vesting`.

use super::check_position;
use crate::activation::Points;
use crate::error::INVALID_VESTING_ACCOUNT;
use crate::instructions::position::check_token;
use crate::state::pool::Pool;
use crate::state::position::Position;
use crate::state::vesting::Vesting;
use sluice_program::token::TokenAccount;
use sluice_program::{anchor, Account, Result};

/// Unlocks what is due by the schedule in the position and by those in the accounts that follow. Anybody may call it.
/// The rent of an account whose schedule is done goes to the holder of the position's token. There are no arguments.
pub fn refresh(accounts: &[Account], _: &[u8]) -> Result {
    let (&[pool_account, account, holding, owner], schedules) = anchor::accounts::<4>(accounts)?;
    let pool = Pool::load(pool_account, "pool")?;
    let mut position = Position::load(account, "position")?;
    let held = TokenAccount::load(holding, "position_nft_account")?;
    check_position(account, &position, pool_account)?;
    check_token(&held, &position)?;
    if held.owner != *owner.address() {
        return Err(anchor::CONSTRAINT_TOKEN_OWNER.of("position_nft_account"));
    }
    let now = Points::of(pool.activation_type)?.now;
    position.unlock(now)?;
    for stored in schedules {
        unlock(&mut position, account, *stored, (now, owner))?;
    }
    position.save(account)
}

#[inline(never)]
fn unlock(
    position: &mut Position,
    account: Account,
    stored: Account,
    (now, owner): (u64, Account),
) -> Result {
    let mut vesting = Vesting::load(stored, "vesting")?;
    anchor::check_writable(stored, "vesting")?;
    if vesting.position != *account.address() {
        return Err(INVALID_VESTING_ACCOUNT.into());
    }
    let released = vesting.schedule.release(now)?;
    position.move_to_unlocked(released)?;
    if vesting.schedule.is_done()? {
        stored.close(owner)
    } else {
        vesting.save(stored)
    }
}
