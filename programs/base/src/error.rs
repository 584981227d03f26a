//! Errors as the runtime encodes them: a program returns a single `u64`.

use core::num::NonZeroU64;

/// The result of everything that can fail.
pub type Result<T = ()> = core::result::Result<T, ProgramError>;

/// The error of a program. Codes of the program's own are in the lower half of the number, the runtime's in the upper
/// half.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub struct ProgramError(NonZeroU64);

const fn builtin(number: u32) -> ProgramError {
    match NonZeroU64::new((number as u64) << 32) {
        Some(code) => ProgramError(code),
        None => panic!("the runtime's errors start at 1"),
    }
}

impl ProgramError {
    pub const INVALID_ARGUMENT: Self = builtin(2);
    pub const INVALID_INSTRUCTION_DATA: Self = builtin(3);
    pub const INVALID_ACCOUNT_DATA: Self = builtin(4);
    pub const ACCOUNT_DATA_TOO_SMALL: Self = builtin(5);
    pub const INSUFFICIENT_FUNDS: Self = builtin(6);
    pub const INCORRECT_PROGRAM_ID: Self = builtin(7);
    pub const MISSING_REQUIRED_SIGNATURE: Self = builtin(8);
    pub const ACCOUNT_ALREADY_INITIALIZED: Self = builtin(9);
    pub const UNINITIALIZED_ACCOUNT: Self = builtin(10);
    pub const NOT_ENOUGH_ACCOUNT_KEYS: Self = builtin(11);
    pub const ACCOUNT_BORROW_FAILED: Self = builtin(12);
    pub const MAX_SEED_LENGTH_EXCEEDED: Self = builtin(13);
    pub const INVALID_SEEDS: Self = builtin(14);
    pub const BORSH_IO_ERROR: Self = builtin(15);
    pub const ACCOUNT_NOT_RENT_EXEMPT: Self = builtin(16);
    pub const UNSUPPORTED_SYSVAR: Self = builtin(17);
    pub const ILLEGAL_OWNER: Self = builtin(18);
    pub const INVALID_REALLOC: Self = builtin(20);
    pub const INVALID_ACCOUNT_OWNER: Self = builtin(23);
    pub const ARITHMETIC_OVERFLOW: Self = builtin(24);
    pub const IMMUTABLE: Self = builtin(25);
    pub const INCORRECT_AUTHORITY: Self = builtin(26);

    /// Returns an error with the program's own `code`. Code 0 has an encoding of its own, because a returned 0 means
    /// success.
    pub const fn custom(code: u32) -> Self {
        match NonZeroU64::new(code as u64) {
            Some(code) => Self(code),
            None => builtin(1),
        }
    }

    /// Returns the number that the entry point returns to the runtime.
    pub const fn code(self) -> u64 {
        self.0.get()
    }

    /// Converts the result of a runtime function, where 0 means success.
    pub(crate) const fn check(code: u64) -> Result {
        match NonZeroU64::new(code) {
            Some(code) => Err(Self(code)),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::ProgramError;

    #[test]
    fn encodes_custom_codes_below_and_builtin_codes_above() {
        assert_eq!(ProgramError::custom(6005).code(), 6005);
        assert_eq!(ProgramError::custom(0).code(), 1 << 32);
        assert_eq!(ProgramError::NOT_ENOUGH_ACCOUNT_KEYS.code(), 11 << 32);
    }

    #[test]
    fn reads_zero_from_the_runtime_as_success() {
        assert_eq!(ProgramError::check(0), Ok(()));
        assert_eq!(ProgramError::check(6001), Err(ProgramError::custom(6001)));
    }
}
