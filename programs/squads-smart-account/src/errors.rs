//! The errors, with the numbers and texts of the public program.

use sluice_program::errors;

errors! {
    ACCOUNT_NOT_EMPTY = 6000 AccountNotEmpty "Account is not empty"
    DUPLICATE_SIGNER = 6001 DuplicateSigner "Found multiple signers with the same pubkey"
    INVALID_THRESHOLD = 6004 InvalidThreshold "Invalid threshold, must be between 1 and number of signers with vote permissions"
    NOT_A_SIGNER = 6006 NotASigner "Provided pubkey is not a signer of the smart account"
    INVALID_TRANSACTION_MESSAGE = 6007 InvalidTransactionMessage "TransactionMessage is malformed."
    INVALID_ACCOUNT = 6015 InvalidAccount "Invalid account provided"
    NO_VOTERS = 6017 NoVoters "Signers don't include any voters"
    NO_PROPOSERS = 6018 NoProposers "Signers don't include any proposers"
    NO_EXECUTORS = 6019 NoExecutors "Signers don't include any executors"
    MISSING_ACCOUNT = 6024 MissingAccount "Missing account"
    UNKNOWN_PERMISSION = 6029 UnknownPermission "Signer has unknown permission"
    TIME_LOCK_EXCEEDS_MAX_ALLOWED = 6031 TimeLockExceedsMaxAllowed "Time lock exceeds the maximum allowed (90 days)"
    INVALID_INSTRUCTION_ARGS = 6041 InvalidInstructionArgs "Invalid Instruction Arguments"
    INVALID_SIGNER_COUNT = 6047 InvalidSignerCount "Invalid number of signer accounts. Must be greater or equal to the threshold"
    MISSING_SIGNATURE = 6048 MissingSignature "Missing signature"
    INSUFFICIENT_AGGREGATE_PERMISSIONS = 6049 InsufficientAggregatePermissions "Insufficient aggregate permissions across signing members"
    INSUFFICIENT_VOTE_PERMISSIONS = 6050 InsufficientVotePermissions "Insufficient vote permissions across signing members"
    TIME_LOCK_NOT_ZERO = 6051 TimeLockNotZero "Smart account must not be time locked"
    NOT_IMPLEMENTED = 6052 NotImplemented "Feature not implemented"
    INVALID_PAYLOAD = 6055 InvalidPayload "Invalid payload"
}
