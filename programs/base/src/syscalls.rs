//! The functions of the runtime, with the network's names and signatures. Unless said otherwise, a function returns 0
//! on success.

use crate::address::Address;

/// An account reference inside an instruction, in C layout.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct CMeta {
    pub address: *const Address,
    pub writable: bool,
    pub signer: bool,
}

/// An instruction in C layout.
#[repr(C)]
pub struct CInstruction {
    pub program: *const Address,
    pub accounts: *const CMeta,
    pub accounts_len: u64,
    pub data: *const u8,
    pub data_len: u64,
}

/// An account of an instruction that was called before, in the layout of the network's `AccountMeta`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SiblingAccount {
    pub address: Address,
    pub signer: u8,
    pub writable: u8,
}

/// The lengths of such an instruction, in C layout.
#[repr(C)]
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct SiblingLengths {
    pub data: u64,
    pub accounts: u64,
}

/// An account that is passed to a called program, in C layout.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct CAccount {
    pub address: *const Address,
    pub lamports: *mut u64,
    pub data_len: u64,
    pub data: *mut u8,
    pub owner: *const Address,
    pub rent_epoch: u64,
    pub signer: bool,
    pub writable: bool,
    pub executable: bool,
}

#[allow(improper_ctypes, reason = "the network defines these arrays by Rust's layout of slices")]
extern "C" {
    pub fn abort() -> !;

    pub fn sol_log_(text: *const u8, len: u64);
    pub fn sol_log_64_(a: u64, b: u64, c: u64, d: u64, e: u64);
    pub fn sol_log_data(fields: *const &[u8], len: u64);

    pub fn sol_memcpy_(to: *mut u8, from: *const u8, len: u64);
    pub fn sol_memmove_(to: *mut u8, from: *const u8, len: u64);
    pub fn sol_memset_(to: *mut u8, value: u8, len: u64);

    pub fn sol_create_program_address(
        seeds: *const &[u8],
        len: u64,
        program: *const Address,
        address: *mut Address,
    ) -> u64;
    pub fn sol_try_find_program_address(
        seeds: *const &[u8],
        len: u64,
        program: *const Address,
        address: *mut Address,
        bump: *mut u8,
    ) -> u64;

    pub fn sol_invoke_signed_c(
        instruction: *const CInstruction,
        accounts: *const CAccount,
        accounts_len: u64,
        signers: *const &[&[u8]],
        signers_len: u64,
    ) -> u64;
    pub fn sol_set_return_data(data: *const u8, len: u64);
    /// Returns the whole length of the data. At most `len` bytes of it were copied.
    pub fn sol_get_return_data(data: *mut u8, len: u64, program: *mut Address) -> u64;

    /// Returns 1 for a top-level instruction.
    pub fn sol_get_stack_height() -> u64;
    /// Returns 1 if there is such an instruction, and 0 otherwise. The lengths are those of the buffers. If they are
    /// not those of the instruction, they are set to these, and nothing else is written.
    pub fn sol_get_processed_sibling_instruction(
        index: u64,
        lengths: *mut SiblingLengths,
        program: *mut Address,
        data: *mut u8,
        accounts: *mut SiblingAccount,
    ) -> u64;

    pub fn sol_get_clock_sysvar(clock: *mut u8) -> u64;
    pub fn sol_get_rent_sysvar(rent: *mut u8) -> u64;
}
