//! The error codes of the public program.

sluice_program::errors! {
    EMPTY_ROUTE = 6000 EmptyRoute "A step for an exact output has too few accounts"
    SLIPPAGE_TOLERANCE_EXCEEDED = 6001 SlippageToleranceExceeded "The route pays less, or takes more, than allowed"
    INVALID_CALCULATION = 6002 InvalidCalculation "An amount or a share is out of range"
    INVALID_INPUT_INDEX = 6006 InvalidInputIndex "A step's input index is above the number of steps"
    INVALID_OUTPUT_INDEX = 6007 InvalidOutputIndex "A step's output index is above the number of steps"
    NOT_ENOUGH_ACCOUNT_KEYS = 6008 NotEnoughAccountKeys "There are fewer accounts than the route needs"
    INVALID_ROUTE_PLAN = 6010 InvalidRoutePlan "The plan spends too much or does not end in the destination"
    LEDGER_TOKEN_ACCOUNT_DOES_NOT_MATCH = 6012 LedgerTokenAccountDoesNotMatch "The ledger is of another one"
    INVALID_TOKEN_LEDGER = 6013 InvalidTokenLedger "The account is no token ledger, or it holds too much"
    INCORRECT_TOKEN_PROGRAM_ID = 6014 IncorrectTokenProgramID "The token program is not the one needed"
    SWAP_NOT_SUPPORTED = 6016 SwapNotSupported "The stand-in does not carry out this kind of step"
    EXACT_OUT_AMOUNT_NOT_MATCHED = 6017 ExactOutAmountNotMatched "The steps delivered another amount than the exact one"
    SOURCE_AND_DESTINATION_MINT_CANNOT_BE_THE_SAME = 6018 SourceAndDestinationMintCannotBeTheSame
        "The shared forms need two mints"
    INVALID_MINT = 6019 InvalidMint "The mint is not that of the token account"
    INVALID_PROGRAM_AUTHORITY = 6020 InvalidProgramAuthority "The program authority is not that of the id"
    INVALID_OUTPUT_TOKEN_ACCOUNT = 6021 InvalidOutputTokenAccount "The route ends in another token account"
    INVALID_FEE_WALLET = 6022 InvalidFeeWallet "The wallet is not the one that fees go to"
    INVALID_AUTHORITY = 6023 InvalidAuthority "The destination belongs to another owner"
    INSUFFICIENT_FUNDS = 6024 InsufficientFunds "The source holds less than the route spends"
    INVALID_TOKEN_ACCOUNT = 6025 InvalidTokenAccount "A token account was expected"
}
