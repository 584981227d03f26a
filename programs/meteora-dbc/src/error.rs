//! The error codes of the public program.

use sluice_meteora::error::Wrong;
use sluice_program::{AnchorError, ProgramError, Result};

sluice_program::errors! {
    TRYING_TO_INIT_PAYER = 4101 TryingToInitPayerAsProgramAccount "The payer cannot become an account of the program"

    MATH_OVERFLOW = 6000 MathOverflow "A number leaves its range"
    INVALID_FEE = 6001 InvalidFee "A fee must be below the whole"
    EXCEEDED_SLIPPAGE = 6002 ExceededSlippage "The amount is beyond the given limit"
    EXCEED_MAX_FEE_BPS = 6003 ExceedMaxFeeBps "The fee is outside of 0.25% to 99%"
    AMOUNT_IS_ZERO = 6005 AmountIsZero "The amount is zero"
    TYPE_CAST_FAILED = 6006 TypeCastFailed "A number does not fit its type"
    INVALID_ACTIVATION_TYPE = 6007 InvalidActivationType "The activation type must be 0 or 1"
    INVALID_QUOTE_MINT = 6008 InvalidQuoteMint "The mint cannot be the quote token of a pool"
    INVALID_COLLECT_FEE_MODE = 6009 InvalidCollectFeeMode "The mode of collecting fees must be 0 or 1"
    INVALID_MIGRATION_FEE_OPTION = 6010 InvalidMigrationFeeOption "The option of the migrated pool's fee is invalid"
    INVALID_INPUT = 6011 InvalidInput "An argument is out of range"
    NOT_ENOUGH_LIQUIDITY = 6012 NotEnoughLiquidity "The curve has less liquidity than the amount needs"
    POOL_IS_COMPLETED = 6013 PoolIsCompleted "The curve is sold out"
    POOL_IS_INCOMPLETED = 6014 PoolIsIncompleted "The curve is not sold out yet, or the pool is not migrated yet"
    INVALID_MIGRATION_OPTION = 6015 InvalidMigrationOption "The migration option must be 1, DAMM v2"
    INVALID_TOKEN_DECIMALS = 6016 InvalidTokenDecimals "The token must have 6 to 9 decimals"
    INVALID_TOKEN_TYPE = 6017 InvalidTokenType "The token type does not fit"
    INVALID_FEE_PERCENTAGE = 6018 InvalidFeePercentage "The shares of the migrated liquidity must sum to 100%"
    INVALID_QUOTE_THRESHOLD = 6019 InvalidQuoteThreshold "The amount to raise must be greater than zero"
    INVALID_TOKEN_SUPPLY = 6020 InvalidTokenSupply "The fixed supply does not cover what the curve needs"
    INVALID_CURVE = 6021 InvalidCurve "The prices of the curve must rise, and each part needs liquidity"
    NOT_PERMIT_TO_DO_THIS_ACTION = 6022 NotPermitToDoThisAction "The pool does not allow this now"
    INVALID_CONFIG_ACCOUNT = 6024 InvalidConfigAccount "The configuration does not fit"
    SURPLUS_HAS_BEEN_WITHDRAW = 6025 SurplusHasBeenWithdraw "The surplus was already withdrawn"
    LEFTOVER_HAS_BEEN_WITHDRAW = 6026 LeftoverHasBeenWithdraw "The leftover was already withdrawn"
    UNSUPPORT_NATIVE_MINT_TOKEN_2022 = 6028 UnsupportNativeMintToken2022 "Pools do not take Token-2022's wrapped SOL"
    INSUFFICIENT_LIQUIDITY_FOR_MIGRATION = 6029 InsufficientLiquidityForMigration "The liquidity is too little"
    MISSING_POOL_CONFIG_IN_REMAINING_ACCOUNT = 6030 MissingPoolConfigInRemainingAccount "The migration configuration is missing"
    INVALID_VESTING_PARAMETERS = 6031 InvalidVestingParameters "The vesting schedule is invalid"
    INVALID_LEFTOVER_ADDRESS = 6032 InvalidLeftoverAddress "A fixed supply needs a receiver of the leftover"
    INSUFFICIENT_LIQUIDITY = 6033 InsufficientLiquidity "The curve has less liquidity than the amount needs"
    INVALID_FEE_SCHEDULER = 6034 InvalidFeeScheduler "A schedule has periods, a frequency and a reduction"
    INVALID_CREATOR_TRADING_FEE_PERCENTAGE = 6035 InvalidCreatorTradingFeePercentage "The creator's share of fees exceeds 100%"
    INVALID_NEW_CREATOR = 6036 InvalidNewCreator "The new creator must be another account"
    INVALID_TOKEN_AUTHORITY_OPTION = 6037 InvalidTokenAuthorityOption "The option of the token's authorities must be 0 to 4"
    INVALID_MIGRATOR_FEE_PERCENTAGE = 6039 InvalidMigratorFeePercentage "The migration fee's shares are out of range"
    MIGRATION_FEE_HAS_BEEN_WITHDRAW = 6040 MigrationFeeHasBeenWithdraw "The migration fee was already withdrawn"
    INVALID_BASE_FEE_MODE = 6041 InvalidBaseFeeMode "The base fee's mode is unknown"
    INVALID_FEE_RATE_LIMITER = 6042 InvalidFeeRateLimiter "The rate limiter is out of range"
    FAIL_TO_VALIDATE_SINGLE_SWAP_INSTRUCTION = 6043 FailToValidateSingleSwapInstruction "The transaction swaps in the pool more than once"
    INVALID_MIGRATED_POOL_FEE = 6044 InvalidMigratedPoolFee "The fees of the migrated pool are invalid"
    UNDETERMINED_ERROR = 6045 UndeterminedError "Cannot happen"
    AMOUNT_LEFT_IS_NOT_ZERO = 6047 AmountLeftIsNotZero "A part of the amount is left"
    INVALID_MIN_BASE_FEE = 6049 InvalidMinBaseFee "The minimum base fee is invalid"
    ACCOUNT_INVARIANT_VIOLATION = 6050 AccountInvariantViolation "The account is not as it must be"
    INVALID_POOL_CREATION_FEE = 6051 InvalidPoolCreationFee "The fee for creating pools is 0, or 0.001 to 100 SOL"
    UNAUTHORIZED = 6053 Unauthorized "The signer may not do this"
    INVALID_MIGRATION_LOCKED_LIQUIDITY = 6055 InvalidMigrationLockedLiquidity "At least 10% of the liquidity must be locked for a day"
    INVALID_FEE_MARKET_CAP_SCHEDULER = 6056 InvalidFeeMarketCapScheduler "A schedule by price has no zero in it"
    INVALID_COMPOUNDING_PARAMETERS = 6067 InvalidCompoundingParameters "The compounded share does not fit the mode"
    INVALID_REMAINING_ACCOUNTS_LENGTH = 6070 InvalidRemainingAccountsLength "Invalid remaining accounts length"
    NO_TRANSFER_HOOK_PROGRAM = 6072 NoTransferHookProgram "No transfer hook program"
    DUPLICATED_REMAINING_ACCOUNT_TYPES = 6073 DuplicatedRemainingAccountTypes "Duplicated remaining account types"
    INVALID_REMAINING_ACCOUNT_SLICE_TYPE = 6077 InvalidRemainingAccountSliceType "Invalid remaining account slice type for this instruction"
}

/// Fails with `error` unless `holds`.
pub fn require(holds: bool, error: AnchorError) -> Result {
    if holds {
        Ok(())
    } else {
        Err(error.into())
    }
}

/// Returns this program's error for what went wrong in the arithmetic that it shares with DAMM v2.
pub fn convert(wrong: Wrong) -> ProgramError {
    match wrong {
        Wrong::Overflow => MATH_OVERFLOW.into(),
        Wrong::Cast => TYPE_CAST_FAILED.into(),
    }
}
