//! The instruction `add_liquidity`.

use super::{emit, read_args, require_some, update_rewards, Checked, Context, EventFields};
use crate::activation::is_enabled;
use crate::error::{EXCEEDED_SLIPPAGE, INVALID_PARAMETERS, MATH_OVERFLOW, POOL_DISABLED};
use crate::instructions::position::check_holder;
use crate::liquidity::amounts_of;
use crate::token::with_fee;
use sluice_meteora::math::Rounding;
use sluice_program::anchor::{self, decoded};
use sluice_program::bytes::Reader;
use sluice_program::{Account, Result};

const ADDED: u8 = 0;

/// Arguments: the liquidity, the maximum of token A and of token B.
pub fn add(accounts: &[Account], args: &[u8]) -> Result {
    let args = decoded(read_args(&mut Reader::new(args)))?;
    let (given, _) = anchor::accounts::<14>(accounts)?;
    let context = Context::of(given);
    let Checked { mut pool, mut position, held } = context.check(true)?;
    let liquidity = args.liquidity.unwrap_or(0);
    if liquidity == 0 {
        return Err(INVALID_PARAMETERS.into());
    }
    if !is_enabled(&pool)? {
        return Err(POOL_DISABLED.into());
    }
    check_holder(&held, context.signer)?;
    pool.update_layout()?;
    update_rewards(&context, &pool, &position)?;
    let amounts = amounts_of(&pool, liquidity, Rounding::Up)?;
    require_some(amounts)?;
    position.earn(&pool)?;
    position.unlocked = position.unlocked.checked_add(liquidity).ok_or(MATH_OVERFLOW)?;
    pool.liquidity = pool.liquidity.checked_add(liquidity).ok_or(MATH_OVERFLOW)?;
    pool.add_amounts(amounts)?;
    let sent = [with_fee(context.mints[0], amounts[0])?, with_fee(context.mints[1], amounts[1])?];
    if sent[0] > args.limits[0] || sent[1] > args.limits[1] {
        return Err(EXCEEDED_SLIPPAGE.into());
    }
    pool.save(context.pool)?;
    position.save(context.position)?;
    for side in [0, 1] {
        context.token(side).take_in(context.users[side], context.signer, sent[side])?;
    }
    let fields = EventFields { kind: ADDED, liquidity, limits: args.limits, amounts, transfers: sent };
    emit(&context, &pool, &held, &fields)
}
