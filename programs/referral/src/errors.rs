//! The error codes of the public program, and those of Anchor that no other program here uses.

sluice_program::errors! {
    INVALID_CALCULATION = 6000 InvalidCalculation "The share of the partner cannot be computed"
    INVALID_SHARE_PERCENTAGE = 6001 InvalidSharePercentage "A share has at most 10,000 basis points"
    NAME_TOO_LONG = 6002 NameTooLong "The name is too long"

    INSTRUCTION_MISSING = 100 InstructionMissing "The data is too short for an instruction"
    CONSTRAINT_ASSOCIATED = 2009 ConstraintAssociated "The account must be the associated token account"
    CONSTRAINT_ASSOCIATED_TOKEN_TOKEN_PROGRAM = 2023 ConstraintAssociatedTokenTokenProgram "The associated token account is of another token program"
    ACCOUNT_DID_NOT_SERIALIZE = 3004 AccountDidNotSerialize "The account is too short for its fields"
    TRYING_TO_INIT_PAYER_AS_PROGRAM_ACCOUNT = 4101 TryingToInitPayerAsProgramAccount "The payer cannot be the account that is created"
    ACCOUNT_NOT_ASSOCIATED_TOKEN_ACCOUNT = 3014 AccountNotAssociatedTokenAccount "The account must be the associated token account"
}
