//! The pair of flash instructions: what is borrowed by the first one is paid for by the second one, or
//! neither happens.

use sluice_program::instructions::Instructions;
use sluice_program::{Account, Result};

use crate::errors::{
    INSTRUCTION_NOT_ALLOWED, INVALID_KEEPER, INVALID_ORDER, MISSING_REPAY_INSTRUCTIONS, PROGRAM_MISMATCH,
};
use crate::state::PROGRAM;
use crate::FLASH_FILL_ORDER;

/// The places of taker and order in the accounts of `flash_fill_order`.
const TAKER: usize = 0;
const ORDER: usize = 2;

/// Checks that this instruction is at top level, and that the next one of this program at top level is a
/// flash fill of the same order by the same taker. Instructions of other programs may come in between. Calls
/// of this program by them cannot use up the loan: the flash fill at top level would then find none, and
/// fail.
#[inline(never)]
pub fn check_flash_fill_follows(sysvar: Account, order: Account, taker: Account) -> Result {
    let all = Instructions::open(sysvar)?;
    let current = all.current();
    // If another program calls this one, the running top-level instruction is the caller's: no program can
    // call itself through another.
    if all.get(current).map(|running| *running.program) != Some(PROGRAM) {
        return Err(PROGRAM_MISMATCH.into());
    }
    for index in current + 1..all.count() {
        let next = all.get(index).ok_or(MISSING_REPAY_INSTRUCTIONS)?;
        if *next.program != PROGRAM {
            continue;
        }
        if !next.data.starts_with(&FLASH_FILL_ORDER) {
            return Err(INSTRUCTION_NOT_ALLOWED.into());
        }
        let names = |place, account: Account| {
            next.accounts().nth(place).is_some_and(|named| named.address == account.address())
        };
        if !names(ORDER, order) {
            return Err(INVALID_ORDER.into());
        }
        if !names(TAKER, taker) {
            return Err(INVALID_KEEPER.into());
        }
        return Ok(());
    }
    Err(MISSING_REPAY_INSTRUCTIONS.into())
}
