//! What a swap must know of its transaction: whether it is the only one in its pool, and whether the pool is new.

use crate::error::FAIL_TO_VALIDATE_SINGLE_SWAP_INSTRUCTION as MULTIPLE;
use crate::keys::PROGRAM;
use crate::{INITIALIZE_WITH_SPL_TOKEN, INITIALIZE_WITH_TOKEN2022, SWAP, SWAP2};
use sluice_program::call_stack;
use sluice_program::instructions::{self, Instructions, TopLevel};
use sluice_program::{Account, Address, ProgramError, Result};

/// The place of the pool among the accounts of a swap.
const POOL_OF_SWAP: usize = 2;
/// The place of the pool among the accounts of its creation.
const POOL_OF_CREATION: usize = 5;
/// The stack height of an instruction that a top-level instruction calls.
const CALLED: u64 = 2;

/// Fails with FailToValidateSingleSwapInstruction if the transaction swaps in the pool before this swap, or if it
/// cannot be seen whether it does.
///
/// The swap may be a top-level instruction or one that such an instruction of any program calls, but no deeper call.
/// Earlier instructions of other programs count as swaps if they name the pool at all.
#[inline(never)]
pub fn check_single_swap(pool: &Address, rest: &[Account]) -> Result {
    let instructions = Instructions::open(*rest.first().ok_or(MULTIPLE)?)?;
    let current = instructions.current();
    let running = instructions.get(current).ok_or(ProgramError::INVALID_ARGUMENT)?;
    if *running.program != PROGRAM {
        if call_stack::get_height() > CALLED {
            return Err(MULTIPLE.into());
        }
        call_stack::check_siblings(|sibling| {
            let is_own = *sibling.program == PROGRAM;
            refuse_if(is_own && is_swap(sibling.data) && sibling.account(POOL_OF_SWAP) == Some(pool))
        })?;
    }
    for index in 0..current {
        let earlier = instructions.get(index).ok_or(ProgramError::INVALID_ARGUMENT)?;
        refuse_if(names_pool(&earlier, pool))?;
    }
    Ok(())
}

fn names_pool(instruction: &TopLevel, pool: &Address) -> bool {
    if *instruction.program != PROGRAM {
        return instruction.accounts().any(|account| account.address == pool);
    }
    is_swap(instruction.data) && has_account(instruction, POOL_OF_SWAP, pool)
}

fn is_swap(data: &[u8]) -> bool {
    matches!(data.first_chunk::<8>(), Some(tag) if *tag == SWAP || *tag == SWAP2)
}

fn has_account(instruction: &TopLevel, index: usize, address: &Address) -> bool {
    instruction.accounts().nth(index).is_some_and(|account| account.address == address)
}

fn refuse_if(is_other_swap: bool) -> Result {
    if is_other_swap {
        Err(MULTIPLE.into())
    } else {
        Ok(())
    }
}

/// Returns whether an earlier top-level instruction of the transaction creates the pool, and the swap is a top-level
/// instruction itself. Without the instructions sysvar, it is not known, and the answer is no.
#[inline(never)]
pub fn is_created_before(pool: &Address, rest: &[Account]) -> bool {
    let sysvar = rest.first().filter(|account| *account.address() == instructions::ADDRESS);
    let Some(Ok(instructions)) = sysvar.map(|account| Instructions::open(*account)) else {
        return false;
    };
    let current = instructions.current();
    let is_own = |index: u16| instructions.get(index).filter(|each| *each.program == PROGRAM);
    let creates = |each: TopLevel| {
        let is_creation = matches!(each.data.first_chunk::<8>(), Some(tag)
            if *tag == INITIALIZE_WITH_SPL_TOKEN || *tag == INITIALIZE_WITH_TOKEN2022);
        is_creation && has_account(&each, POOL_OF_CREATION, pool)
    };
    is_own(current).is_some() && (0..current).any(|index| is_own(index).is_some_and(creates))
}
