//! The error codes of the public program.

sluice_program::errors! {
    INVALID_INSTRUCTION_DATA = 6000 InvalidInstructionData "The instruction could not be decoded"
    ASSERTION_FAILED = 6001 AssertionFailed "The account is not as asserted"
    NOT_ENOUGH_ACCOUNTS = 6002 NotEnoughAccounts "The instruction needs more accounts"
    RANGE_OUT_OF_BOUNDS = 6005 RangeOutOfBounds "The account's data is shorter"
    FAILED_TO_DESERIALIZE = 6007 FailedToDeserialize "The account's data is no value of that kind"
    ACCOUNT_NOT_INITIALIZED = 6011 AccountNotInitialized "The account has no data"
}
