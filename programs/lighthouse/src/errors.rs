//! The error codes of the public program.

sluice_program::errors! {
    INVALID_INSTRUCTION_DATA = 6000 InvalidInstructionData "The instruction could not be decoded"
    ASSERTION_FAILED = 6001 AssertionFailed "The account is not as asserted"
    NOT_ENOUGH_ACCOUNTS = 6002 NotEnoughAccounts "The instruction needs more accounts"
}
