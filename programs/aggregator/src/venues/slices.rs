//! `RemainingAccountsInfo`: the purposes of the accounts after a step's own, as runs of a type and a length.

use sluice_program::bytes::Reader;
use sluice_program::{log, ProgramError, Result};

const TRANSFER_HOOK_A: u8 = 0;
const TRANSFER_HOOK_B: u8 = 1;
const SUPPLEMENTAL_TICK_ARRAYS: u8 = 6;

/// Skips a count of u32 and two bytes per slice.
pub fn fields(fields: &mut Reader) -> Option<()> {
    let count = fields.u32()? as usize;
    fields.bytes(count << 1).map(|_| ())
}

/// Returns how many accounts the slices count in total. `slices` are the bytes that [`fields`] skipped, or empty.
#[inline(always)]
pub fn total(slices: &[u8]) -> usize {
    pairs(slices).map(|(_, length)| length as usize).sum()
}

/// As in the public program, fails with InvalidInstructionData for types that no step takes, and with
/// InvalidAccountData for transfer hooks, because the public program runs only the hooks of mints on a list of its
/// own.
pub fn check(slices: &[u8]) -> Result {
    for (kind, _) in pairs(slices) {
        match kind {
            SUPPLEMENTAL_TICK_ARRAYS => {}
            TRANSFER_HOOK_A | TRANSFER_HOOK_B => {
                log::text("Steps do not run transfer hooks");
                return Err(ProgramError::INVALID_ACCOUNT_DATA);
            }
            _ => {
                log::text("Steps do not take remaining accounts of this type");
                return Err(ProgramError::INVALID_INSTRUCTION_DATA);
            }
        }
    }
    Ok(())
}

fn pairs(slices: &[u8]) -> impl Iterator<Item = (u8, u8)> + '_ {
    const COUNT: usize = 4;
    slices.get(COUNT..).unwrap_or(&[]).chunks_exact(2).map(|pair| (pair[0], pair[1]))
}
