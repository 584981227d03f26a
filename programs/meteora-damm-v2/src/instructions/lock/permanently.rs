//! The instruction `permanent_lock_position`.

use super::{check_permission, Context};
use crate::activation::Points;
use crate::error::MATH_OVERFLOW;
use crate::events;
use crate::state::pool::PERMANENTLY_LOCKED;
use crate::state::put_u128;
use sluice_program::anchor::{self, decoded};
use sluice_program::bytes::Reader;
use sluice_program::{Account, Result};

const EVENT: [u8; 8] = anchor::event("EvtPermanentLockPosition");

/// Argument: the liquidity. It can never be removed, but it still earns fees.
pub fn permanently(accounts: &[Account], args: &[u8]) -> Result {
    let liquidity = decoded(Reader::new(args).u128())?;
    let (&[pool, position, holding, signer, event_authority, _], _) = anchor::accounts::<6>(accounts)?;
    let context = Context { pool, position, holding, signer, event_authority };
    let mut checked = context.check()?;
    anchor::check_writable(pool, "pool")?;
    check_permission(&checked, signer)?;
    checked.position.unlock(Points::of(checked.pool.activation_type)?.now)?;
    checked.position.lock_permanently(liquidity)?;
    checked.position.save(position)?;
    let total = checked.pool.permanently_locked.checked_add(liquidity).ok_or(MATH_OVERFLOW)?;
    put_u128(&mut pool.data_mut()?, PERMANENTLY_LOCKED, total)?;
    events::emit(event_authority, &EVENT, |event| {
        event.address(pool.address())?;
        event.address(position.address())?;
        event.u128(liquidity)?;
        event.u128(total)
    })
}
