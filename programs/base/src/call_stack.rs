//! The calls around the running instruction: how deep it is in the stack, and what its caller called before it.

use crate::address::Address;
use crate::error::{ProgramError, Result};
use crate::heap::{List, Scratch};
use crate::syscalls::{self, SiblingAccount, SiblingLengths};

/// Returns 1 for a top-level instruction, 2 for one that it calls, and so on.
pub fn get_height() -> u64 {
    // SAFETY: the function takes nothing.
    unsafe { syscalls::sol_get_stack_height() }
}

/// An instruction that ran before the running one, with the same caller.
pub struct Sibling<'s> {
    pub program: &'s Address,
    pub data: &'s [u8],
    accounts: &'s [SiblingAccount],
}

impl Sibling<'_> {
    /// Returns the address of an account, or None if the instruction has fewer accounts.
    pub fn account(&self, index: usize) -> Option<&Address> {
        self.accounts.get(index).map(|account| &account.address)
    }
}

/// Passes each instruction that the same caller called before the running one to `check`, the last one first. Fails
/// with its first error, or with InvalidRealloc if the heap has no room for an instruction.
///
/// For a top-level instruction, these are the top-level instructions before it.
pub fn check_siblings(check: impl Fn(&Sibling) -> Result) -> Result {
    let mut index = 0;
    while let Some(lengths) = measure(index) {
        let _scratch = Scratch::new();
        let mut program = Address::ZERO;
        let (data, accounts) = read(index, lengths, &mut program)?;
        check(&Sibling { program: &program, data: &data, accounts: &accounts })?;
        index += 1;
    }
    Ok(())
}

/// Returns the lengths of the instruction, or None if there is none of that index.
#[inline(never)]
fn measure(index: u64) -> Option<SiblingLengths> {
    let mut lengths = SiblingLengths::default();
    let mut program = Address::ZERO;
    let data = core::ptr::NonNull::<u8>::dangling().as_ptr();
    let accounts = core::ptr::NonNull::<SiblingAccount>::dangling().as_ptr();
    // SAFETY: both buffers have the given length of zero.
    let found = unsafe {
        syscalls::sol_get_processed_sibling_instruction(index, &mut lengths, &mut program, data, accounts)
    };
    (found != 0).then_some(lengths)
}

/// Reads the instruction of these lengths.
#[inline(never)]
fn read(
    index: u64,
    lengths: SiblingLengths,
    program: &mut Address,
) -> Result<(List<u8>, List<SiblingAccount>)> {
    let mut read = lengths;
    // SAFETY: the runtime writes both buffers whole, or other lengths, in which case neither is returned.
    let (data, accounts) = unsafe {
        let mut accounts = core::ptr::null_mut();
        let list = List::written_by(lengths.accounts as usize, |items| accounts = items)?;
        let data = List::written_by(lengths.data as usize, |data| {
            syscalls::sol_get_processed_sibling_instruction(index, &mut read, program, data, accounts);
        })?;
        (data, list)
    };
    if read == lengths {
        Ok((data, accounts))
    } else {
        Err(ProgramError::INVALID_ACCOUNT_DATA)
    }
}
