//! The instruction `claim_position_fee`.

use super::liquidity::{Checked, Context};
use super::position::check_holder;
use crate::error::MATH_OVERFLOW;
use crate::events;
use crate::keys::AUTHORITY;
use sluice_program::{anchor, Account, Result};

const EVENT: [u8; 8] = anchor::event("EvtClaimPositionFee");

/// Pays out what the position's liquidity earned. There are no arguments.
pub fn position_fee(accounts: &[Account], _: &[u8]) -> Result {
    let (&[authority, ref given @ ..], _) = anchor::accounts::<15>(accounts)?;
    let context = Context::of(given);
    let Checked { pool, mut position, held } = context.check(false)?;
    anchor::check_address(authority, &AUTHORITY, "pool_authority")?;
    check_holder(&held, context.signer)?;
    position.earn(&pool)?;
    let claimed = core::mem::take(&mut position.pending);
    for side in [0, 1] {
        let sum = position.claimed[side].checked_add(claimed[side]).ok_or(MATH_OVERFLOW)?;
        position.claimed[side] = sum;
        if claimed[side] > 0 {
            context.token(side).pay_out(context.users[side], authority, claimed[side])?;
        }
    }
    position.save(context.position)?;
    events::emit(context.event_authority, &EVENT, |event| {
        for address in [context.pool.address(), context.position.address(), &held.owner] {
            event.address(address)?;
        }
        event.u64(claimed[0])?;
        event.u64(claimed[1])
    })
}
