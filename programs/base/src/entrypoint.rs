//! Turns the runtime's input region into a call of a program's `process` function.

use crate::account::{Account, RawAccount};
use crate::address::Address;
use crate::error::{ProgramError, Result};
use crate::heap::List;
use crate::syscalls;

/// A program's function. It is called with the program's own address, the instruction's accounts in order, and the
/// instruction's data.
pub type Process = fn(&Address, &[Account], &[u8]) -> Result;

/// The first byte of an account that has not occurred before. For a repeated account, the byte is the index of its
/// first occurrence.
const NOT_DUPLICATE: u8 = 255;
/// The maximum number of accounts. The runtime numbers them in a byte below the marker.
pub const MAX_ACCOUNTS: usize = 255;
/// The room that the runtime reserves after each account's data.
pub(crate) const GROWTH: usize = 10 * 1024;
/// The rent epoch follows the room for growth and up to 7 bytes of padding.
const RENT_EPOCH: usize = 8;

/// Makes `process`, a [`Process`], the entry point of the program.
#[macro_export]
macro_rules! entrypoint {
    ($process:expr) => {
        // Names the function on every target, so that the compiler checks it and does not report it as unused.
        const _: $crate::entrypoint::Process = $process;

        /// # Safety
        /// Only the runtime calls this, with its input region.
        #[cfg(any(target_arch = "bpf", target_os = "solana"))]
        #[allow(unsafe_code)]
        #[no_mangle]
        pub unsafe extern "C" fn entrypoint(input: *mut u8) -> u64 {
            // SAFETY: by the runtime's contract.
            unsafe { $crate::entrypoint::run(input, $process) }
        }

        #[cfg(any(target_arch = "bpf", target_os = "solana"))]
        #[panic_handler]
        fn panic(_: &core::panic::PanicInfo) -> ! {
            $crate::entrypoint::abort()
        }
    };
}

/// Ends the transaction with an error. In our own build a panic does so without this call; `cargo build-sbf` keeps
/// it.
pub fn abort() -> ! {
    // SAFETY: takes nothing and does not return.
    unsafe { syscalls::abort() }
}

/// # Safety
/// `input` must be the runtime's input region in the aligned layout, mapped for the whole call.
#[inline(always)]
pub unsafe fn run(input: *mut u8, process: Process) -> u64 {
    // SAFETY: handed on from the caller.
    let outcome =
        unsafe { parse(input) }.and_then(|(program, accounts, data)| process(program, &accounts, data));
    match outcome {
        Ok(()) => 0,
        Err(error) => error.code(),
    }
}

type Input<'a> = (&'a Address, List<Account<'a>>, &'a [u8]);

/// # Safety
/// As for [`run`].
#[inline(always)]
unsafe fn parse<'a>(input: *mut u8) -> Result<Input<'a>> {
    // SAFETY: the region starts with the number of accounts.
    let count = unsafe { read_u64(input) } as usize;
    if count > MAX_ACCOUNTS {
        return Err(ProgramError::INVALID_ARGUMENT);
    }
    let mut accounts = List::with_capacity(count)?;
    // SAFETY: the accounts follow, each as long as its own header says, then length and bytes of the data.
    unsafe {
        let mut next = input.add(8);
        while accounts.len() < count {
            let first = *next;
            if first == NOT_DUPLICATE {
                let account = Account::new(next.cast());
                accounts.push(account)?;
                let end = size_of::<RawAccount>() + account.data_len() + GROWTH;
                next = next.add(end.next_multiple_of(8) + RENT_EPOCH);
            } else {
                let original = accounts[first as usize];
                accounts.push(original)?;
                next = next.add(8);
            }
        }
        let len = read_u64(next) as usize;
        let data = next.add(8);
        let program = data.add(len).cast::<Address>();
        Ok((&*program, accounts, core::slice::from_raw_parts(data, len)))
    }
}

/// # Safety
/// `at` must be readable for 8 bytes.
unsafe fn read_u64(at: *const u8) -> u64 {
    // SAFETY: by the contract above.
    unsafe { at.cast::<u64>().read_unaligned() }
}
