//! Slices: they tell the purposes of the accounts after those of the interface, as runs of accounts.

use crate::error::{
    REMAINING_ACCOUNTS_DUPLICATED, REMAINING_ACCOUNTS_INSUFFICIENT, REMAINING_ACCOUNTS_INVALID_SLICE,
    TOO_MANY_SUPPLEMENTAL_TICK_ARRAYS,
};
use crate::sequence::MAX_GIVEN;
use sluice_program::bytes::Reader;
use sluice_program::heap::List;
use sluice_program::{Account, Result};

/// The purposes of a run.
const HOOK_A: u8 = 0;
const HOOK_B: u8 = 1;
const HOOK_REWARD: u8 = 2;
const SUPPLEMENTAL_TICK_ARRAYS: u8 = 6;
const LAST_KIND: u8 = 12;

/// Reads the bytes of the slices: a type and a number each. The inner option is None if there is no list of them.
pub fn read<'a>(reader: &mut Reader<'a>) -> Option<&'a [u8]> {
    match reader.u8()? {
        0 => Some(&[]),
        1 => {
            let count = reader.u32()? as usize;
            let slices = reader.bytes(count.checked_mul(2)?)?;
            slices.chunks_exact(2).all(|slice| slice[0] <= LAST_KIND).then_some(slices)
        }
        _ => None,
    }
}

/// Adds the tick arrays among the remaining accounts. Accounts for transfer hooks are counted and skipped.
#[inline(never)]
pub fn add_tick_arrays<'a>(arrays: &mut List<Account<'a>>, slices: &[u8], rest: &[Account<'a>]) -> Result {
    split(slices, rest, &[HOOK_A, HOOK_B, SUPPLEMENTAL_TICK_ARRAYS], |kind, taken| {
        if kind == SUPPLEMENTAL_TICK_ARRAYS {
            taken.iter().try_for_each(|array| arrays.push(*array))
        } else {
            Ok(())
        }
    })
}

/// The mints for whose transfer hooks an instruction accepts accounts.
#[derive(Clone, Copy)]
pub enum Hooks {
    Pool,
    Reward,
}

/// For instructions that accept only accounts for transfer hooks. They are counted and skipped.
#[inline(never)]
pub fn check_hooks(slices: &[u8], rest: &[Account], hooks: Hooks) -> Result {
    let allowed: &[u8] = match hooks {
        Hooks::Pool => &[HOOK_A, HOOK_B],
        Hooks::Reward => &[HOOK_REWARD],
    };
    split(slices, rest, allowed, |_, _| Ok(()))
}

/// Passes each run of accounts on. A purpose may occur only once.
#[inline(always)]
fn split<'s, 'a>(
    slices: &[u8],
    rest: &'s [Account<'a>],
    allowed: &[u8],
    mut take: impl FnMut(u8, &'s [Account<'a>]) -> Result,
) -> Result {
    let mut seen = [false; LAST_KIND as usize + 1];
    let mut rest = rest;
    for slice in slices.chunks_exact(2) {
        let (kind, count) = (slice[0], slice[1] as usize);
        if !allowed.contains(&kind) {
            return Err(REMAINING_ACCOUNTS_INVALID_SLICE.into());
        }
        if count == 0 {
            continue;
        }
        let Some((taken, left)) = rest.split_at_checked(count) else {
            return Err(REMAINING_ACCOUNTS_INSUFFICIENT.into());
        };
        rest = left;
        if kind == SUPPLEMENTAL_TICK_ARRAYS && count > MAX_GIVEN - 3 {
            return Err(TOO_MANY_SUPPLEMENTAL_TICK_ARRAYS.into());
        }
        if core::mem::replace(&mut seen[kind as usize], true) {
            return Err(REMAINING_ACCOUNTS_DUPLICATED.into());
        }
        take(kind, taken)?;
    }
    Ok(())
}
