//! The length of tick arrays of the dynamic form, which grow and shrink with the number of their initialized ticks.
//! Each position holds the rent of two ticks, and lends it to its arrays while it has liquidity.

use crate::error::RENT_CALCULATION;
use crate::state::tick;
use sluice_program::sysvar::Rent;
use sluice_program::{Account, Result};

/// One end of a position, in its array.
#[derive(Clone, Copy)]
pub struct End<'a> {
    pub array: Account<'a>,
    pub is_dynamic: bool,
    /// Whether the tick is initialized before and after the change.
    pub used: [bool; 2],
}

/// Returns the rent for one tick, which does not depend on the length of the account.
pub fn rent_of_tick() -> Result<u64> {
    let rent = Rent::get()?;
    Ok(rent.minimum_balance(tick::LEN) - rent.minimum_balance(0))
}

/// Moves the rent when a position gets its first liquidity or loses its last. `active` tells whether it had liquidity
/// before, and whether it has any now. Fails with RentCalculationError if the rent is not there.
#[inline(never)]
pub fn move_rent(position: Account, ends: &[End; 2], active: [bool; 2]) -> Result {
    let lends = match active {
        [false, true] => true,
        [true, false] => false,
        _ => return Ok(()),
    };
    for end in ends.iter().filter(|end| end.is_dynamic) {
        let (from, to) = if lends { (position, end.array) } else { (end.array, position) };
        let rent = rent_of_tick()?;
        from.set_lamports(from.lamports().checked_sub(rent).ok_or(RENT_CALCULATION)?);
        to.set_lamports(to.lamports().checked_add(rent).ok_or(RENT_CALCULATION)?);
    }
    Ok(())
}

/// Lengthens arrays for ticks that become initialized. It is called before they are written.
#[inline(never)]
pub fn grow(ends: &[End; 2]) -> Result {
    for end in ends.iter().filter(|end| end.is_dynamic && end.used == [false, true]) {
        end.array.resize(end.array.data_len() + tick::LEN)?;
    }
    Ok(())
}

/// Shortens arrays by ticks that are no longer initialized. It is called after they were written.
#[inline(never)]
pub fn shrink(ends: &[End; 2]) -> Result {
    for end in ends.iter().filter(|end| end.is_dynamic && end.used == [true, false]) {
        end.array.resize(end.array.data_len() - tick::LEN)?;
    }
    Ok(())
}
