//! The positions of the new pool: their locks and their owners.

use super::accounts::{Context, Position};
use super::shares::Share;
use crate::error::UNDETERMINED_ERROR;
use crate::instructions::flash_rent::{advanced, unharmed};
use crate::keys::DAMM_V2_PROGRAM;
use crate::liquidity::Reserves;
use sluice_program::{anchor, bytes, entrypoint, log, wide, Account, Result};

const POOL: [u8; 8] = anchor::account("Pool");
/// The offsets of the pool's fields.
const LIQUIDITY: usize = 360;
const AMOUNTS: [usize; 2] = [680, 688];

/// Locks the parts of the share that are not free, and gives the position to its owner.
#[inline(never)]
pub fn finish(context: &Context, position: &Position, share: &Share, now: u64) -> Result {
    if share.is_locked() {
        advanced(context.authority, context.payer, || lock(context, position, share, now))?;
    }
    context.hand_over(position, &share.owner)
}

#[inline(never)]
fn lock(context: &Context, position: &Position, share: &Share, now: u64) -> Result {
    if share.permanent > 0 {
        context.lock_permanently(position, share.permanent)?;
    }
    if share.vested > 0 {
        context.lock_vested(position, share, now)?;
    }
    Ok(())
}

/// Creates the second position. Ends the program as the public one does if its accounts are left out.
#[inline(never)]
pub fn make_second(context: &Context, share: &mut Share, liquidity: u128, now: u64) -> Result {
    share.adjust(liquidity)?;
    let Some(position) = context.second() else {
        log::text("the liquidity needs a second position");
        entrypoint::abort()
    };
    log::text("create position");
    context.create_position(&position)?;
    log::text("add liquidity");
    unharmed(context.authority, || context.add_liquidity(&position, liquidity))?;
    finish(context, &position, share, now)
}

/// Reads what the new pool holds.
#[inline(never)]
pub fn read_reserves(pool: Account) -> Result<Reserves> {
    let data = anchor::load_zero_copy(pool, &DAMM_V2_PROGRAM, &POOL, "pool")?;
    let number = |at| bytes::u64_at(&data, at).ok_or(UNDETERMINED_ERROR);
    let liquidity = wide::join(number(LIQUIDITY + 8)?, number(LIQUIDITY)?);
    Ok(Reserves { amounts: [number(AMOUNTS[0])?, number(AMOUNTS[1])?], liquidity })
}
