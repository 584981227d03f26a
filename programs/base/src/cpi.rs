//! Calls into other programs.

use crate::account::Account;
use crate::address::Address;
use crate::error::{ProgramError, Result};
use crate::heap::{List, Scratch};
use crate::syscalls::{self, CAccount, CInstruction, CMeta};

/// The seeds, including the bump, of each derived address that signs a call.
pub type Signers<'a> = &'a [&'a [&'a [u8]]];

/// The runtime's limit of return data, in bytes.
pub const MAX_RETURN_DATA: usize = 1024;

/// An account with the rights that a call gives it. [`Account::writable`] and its siblings make it.
#[derive(Clone, Copy)]
pub struct CpiAccount<'a> {
    pub account: Account<'a>,
    pub writable: bool,
    pub signer: bool,
}

/// Calls `program`, which must be among the running instruction's accounts.
///
/// If the called program fails, the whole transaction fails. So this returns only after success, or with
/// AccountBorrowFailed if an account's data is borrowed in a way that the call could break.
#[inline(always)]
pub fn invoke(program: &Address, accounts: &[CpiAccount], data: &[u8], signers: Signers) -> Result {
    run(&Call { program, accounts, data, signers })
}

/// A call. It is passed by reference because a function on chain cannot take that many arguments.
struct Call<'a> {
    program: &'a Address,
    accounts: &'a [CpiAccount<'a>],
    data: &'a [u8],
    signers: Signers<'a>,
}

#[inline(never)]
fn run(call: &Call) -> Result {
    let Call { program, accounts, data, signers } = *call;
    let _scratch = Scratch::new();
    let mut metas = List::<CMeta>::with_capacity(accounts.len())?;
    let mut infos = List::<CAccount>::with_capacity(accounts.len())?;
    for entry in accounts {
        if !entry.account.can_lend(entry.writable) {
            return Err(ProgramError::ACCOUNT_BORROW_FAILED);
        }
        metas.push(CMeta {
            address: entry.account.address(),
            writable: entry.writable,
            signer: entry.signer,
        })?;
        infos.push(entry.account.to_c())?;
    }
    let instruction = CInstruction {
        program,
        accounts: metas.as_ptr(),
        accounts_len: metas.len() as u64,
        data: data.as_ptr(),
        data_len: data.len() as u64,
    };
    // SAFETY: all pointers are valid for their lengths, the accounts point into the input region, and none of the
    // data that the call may write is borrowed. `&[&[&[u8]]]` has the layout of the runtime's nested arrays.
    let code = unsafe {
        syscalls::sol_invoke_signed_c(
            &instruction,
            infos.as_ptr(),
            infos.len() as u64,
            signers.as_ptr(),
            signers.len() as u64,
        )
    };
    ProgramError::check(code)
}

/// Sets the result that the caller of this program reads, of at most [`MAX_RETURN_DATA`] bytes.
pub fn set_return_data(data: &[u8]) {
    // SAFETY: the slice is valid for its length.
    unsafe { syscalls::sol_set_return_data(data.as_ptr(), data.len() as u64) }
}

/// Copies the return data of the last call into `buffer`. Returns the program that set it and its whole length, or
/// None if there is none.
pub fn return_data(buffer: &mut [u8]) -> Option<(Address, usize)> {
    let mut program = Address::ZERO;
    // SAFETY: the buffer is valid for its length.
    let len =
        unsafe { syscalls::sol_get_return_data(buffer.as_mut_ptr(), buffer.len() as u64, &mut program) };
    if len == 0 {
        None
    } else {
        Some((program, len as usize))
    }
}
