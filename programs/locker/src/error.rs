//! The error codes of the public program.

sluice_program::errors! {
    CONSTRAINT_ASSOCIATED = 2009 ConstraintAssociated "The account is not the associated one"
    CONSTRAINT_ASSOCIATED_TOKEN_TOKEN_PROGRAM = 2023 ConstraintAssociatedTokenTokenProgram "The associated token account is of another token program"

    MATH_OVERFLOW = 6000 MathOverflow "A number leaves its range"
    FREQUENCY_IS_ZERO = 6001 FrequencyIsZero "Parts that unlock one after another have time between them"
    INVALID_ESCROW_TOKEN_ADDRESS = 6002 InvalidEscrowTokenAddress "The token account is not the escrow's"
    INVALID_UPDATE_RECIPIENT_MODE = 6003 InvalidUpdateRecipientMode "The mode of changing the recipient must be 0 to 3"
    INVALID_CANCEL_MODE = 6004 InvalidCancelMode "The mode of cancelling must be 0 to 3"
    NOT_PERMIT_TO_DO_THIS_ACTION = 6005 NotPermitToDoThisAction "The escrow's mode does not permit this to the signer"
    INVALID_RECIPIENT_TOKEN_ACCOUNT = 6006 InvalidRecipientTokenAccount "An escrow cannot pay itself"
    INVALID_ESCROW_METADATA = 6008 InvalidEscrowMetadata "The metadata is missing, or of another escrow"
    INVALID_VESTING_START_TIME = 6009 InvalidVestingStartTime "The cliff is before the start"
    ALREADY_CANCELLED = 6010 AlreadyCancelled "The escrow was cancelled"
    CANCELLED_AT_IS_ZERO = 6011 CancelledAtIsZero "The time of the cancellation is zero"
    UNSUPPORTED_MINT = 6014 UnsupportedMint "The mint has an extension that escrows do not support"
    INSUFFICIENT_REMAINING_ACCOUNTS = 6016 InsufficientRemainingAccounts "Fewer accounts follow than the arguments say"
    DUPLICATED_REMAINING_ACCOUNT_TYPES = 6017 DuplicatedRemainingAccountTypes "The accounts of a transfer hook are given twice"
    NO_TRANSFER_HOOK_PROGRAM = 6018 NoTransferHookProgram "Accounts of a transfer hook are given exactly if the mint has one"
    CLAIMING_IS_NOT_FINISHED = 6019 ClaimingIsNotFinished "The recipient has not claimed everything"
}
