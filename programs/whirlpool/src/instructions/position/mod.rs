//! The instructions that open and close a position, with a token of the older token program.

mod close;
mod open;

pub use close::close;
pub use open::open;

use crate::error::{
    FULL_RANGE_ONLY_POOL, INVALID_POSITION_TOKEN_AMOUNT, INVALID_TICK_INDEX, MISSING_OR_INVALID_DELEGATE,
};
use crate::keys::FULL_RANGE_ONLY_TICK_SPACING;
use crate::math::floor_div;
use crate::math::tick::{at_price, price_at, MAX_TICK, MIN_TICK};
use crate::state::pool::Pool;
use crate::state::position::Position;
use crate::state::tick_array::is_usable;
use crate::tick_rent::rent_of_tick;
use sluice_program::anchor;
use sluice_program::bytes::{self, Writer};
use sluice_program::token::TokenAccount;
use sluice_program::{cpi, log, system, Account, Result};

const EVENT: [u8; 8] = anchor::event("PositionOpened");
const EVENT_LEN: usize = 8 + 2 * 32 + 2 * 4;

/// The offset of a token account's delegate, which the delegated amount follows.
const DELEGATE: usize = 72;
const DELEGATED_AMOUNT: usize = 121;

/// The accounts of a position that is created.
pub struct New<'a> {
    pub pool: Account<'a>,
    pub funder: Account<'a>,
    pub position: Account<'a>,
    pub mint: Account<'a>,
}

/// Writes a position that was just created, and transfers the rent of its two ticks to it.
#[inline(never)]
pub fn begin(pool: &Pool, new: &New, range: [i32; 2]) -> Result {
    // Positions pay for the ticks of dynamic arrays at which they end.
    system::Transfer { from: new.funder, to: new.position, lamports: rent_of_tick()? << 1 }.invoke(&[])?;
    let range = resolved(range, pool)?;
    check_range(range, pool.tick_spacing)?;
    Position::encode(&mut new.position.data_mut()?, new.pool.address(), new.mint.address(), range)?;
    emit(new.pool, new.position, range)
}

/// Replaces a lower tick of i32::MIN, or an upper one of i32::MAX, by the tick next to the price, so that the
/// position starts with one token only.
#[inline(never)]
fn resolved(range: [i32; 2], pool: &Pool) -> Result<[i32; 2]> {
    let [lower, upper] = range;
    let open = [lower == i32::MIN, upper == i32::MAX];
    if open == [false, false] || pool.tick_spacing >= FULL_RANGE_ONLY_TICK_SPACING {
        return Ok(range);
    }
    let spacing = pool.tick_spacing as i32;
    let tick = at_price(pool.sqrt_price);
    let below = floor_div(tick, spacing) * spacing;
    match open {
        [true, true] => Err(INVALID_TICK_INDEX.into()),
        [true, false] => {
            let exact = below == tick && price_at(tick) == pool.sqrt_price;
            let above = if exact { tick } else { below + spacing };
            if above > MAX_TICK {
                return Err(INVALID_TICK_INDEX.into());
            }
            Ok([above, upper])
        }
        _ if below < MIN_TICK => Err(INVALID_TICK_INDEX.into()),
        _ => Ok([lower, below]),
    }
}

/// Fails with InvalidTickIndex or FullRangeOnlyPool unless the pool accepts positions of this range.
#[inline(never)]
fn check_range(range: [i32; 2], tick_spacing: u16) -> Result {
    let [lower, upper] = range;
    let spacing = tick_spacing as i32;
    if !is_usable(lower, spacing) || !is_usable(upper, spacing) || lower >= upper {
        return Err(INVALID_TICK_INDEX.into());
    }
    let widest = floor_div(MAX_TICK, spacing) * spacing;
    if tick_spacing >= FULL_RANGE_ONLY_TICK_SPACING && range != [-widest, widest] {
        return Err(FULL_RANGE_ONLY_POOL.into());
    }
    Ok(())
}

#[inline(never)]
fn emit(pool: Account, position: Account, range: [i32; 2]) -> Result {
    let mut data = [0; EVENT_LEN];
    let mut event = Writer::new(&mut data);
    event.array(&EVENT)?;
    event.address(pool.address())?;
    event.address(position.address())?;
    event.u32(range[0] as u32)?;
    event.u32(range[1] as u32)?;
    log::data(&[event.written()]);
    Ok(())
}

/// Burns the token, and checks that it has no decimals.
pub fn burn(program: Account, holding: Account, mint: Account, authority: Account) -> Result {
    const ONE: [u8; 10] = [15, 1, 0, 0, 0, 0, 0, 0, 0, 0];
    let accounts = [holding.writable(), mint.writable(), authority.readonly_signer()];
    cpi::invoke(program.address(), &accounts, &ONE, &[])
}

/// Fails with MissingOrInvalidDelegate unless the holder of the position's token signed, or the delegate of that
/// token.
#[inline(never)]
pub fn check_authority(holding: Account, authority: Account) -> Result {
    let owner = TokenAccount::load(holding, "position_token_account")?.owner;
    let data = holding.data()?;
    let delegated = data.get(DELEGATE) == Some(&1)
        && bytes::address_at(&data, DELEGATE + 4).as_ref() == Some(authority.address());
    if delegated {
        if bytes::u64_at(&data, DELEGATED_AMOUNT) != Some(1) {
            return Err(INVALID_POSITION_TOKEN_AMOUNT.into());
        }
    } else if owner != *authority.address() {
        return Err(MISSING_OR_INVALID_DELEGATE.into());
    }
    if authority.is_signer() {
        Ok(())
    } else {
        Err(MISSING_OR_INVALID_DELEGATE.into())
    }
}
