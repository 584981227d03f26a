//! The error codes of the public program.

pub use sluice_meteora::error::{in_range, MATH_OVERFLOW};

use sluice_meteora::error::Wrong;
use sluice_program::ProgramError;

sluice_program::errors! {
    CONSTRAINT_CLOSE = 2011 ConstraintClose "An account cannot be closed into itself"
    TRYING_TO_INIT_PAYER = 4101 TryingToInitPayerAsProgramAccount "The payer cannot become an account of the program"

    INVALID_FEE = 6001 InvalidFee "A fee must be below the whole"
    EXCEEDED_SLIPPAGE = 6002 ExceededSlippage "The amount is beyond the given limit"
    POOL_DISABLED = 6003 PoolDisabled "The pool does not take this at present"
    EXCEED_MAX_FEE_BPS = 6004 ExceedMaxFeeBps "The fee is outside of 0.01% to 99%"
    AMOUNT_IS_ZERO = 6006 AmountIsZero "The amount is zero"
    TYPE_CAST_FAILED = 6007 TypeCastFailed "A number does not fit its type"
    INVALID_AUTHORITY_TO_CREATE_THE_POOL = 6009 InvalidAuthorityToCreateThePool "The configuration is for another payer"
    INVALID_ACTIVATION_TYPE = 6010 InvalidActivationType "The activation type must be 0 or 1"
    INVALID_ACTIVATION_POINT = 6011 InvalidActivationPoint "The activation point is too early or too late"
    INVALID_PRICE_RANGE = 6014 InvalidPriceRange "The price or its range is out of bounds"
    PRICE_RANGE_VIOLATION = 6015 PriceRangeViolation "The swap leaves the pool's price range"
    INVALID_PARAMETERS = 6016 InvalidParameters "The liquidity must be greater than zero"
    INVALID_COLLECT_FEE_MODE = 6017 InvalidCollectFeeMode "The mode of collecting fees must be 0, 1 or 2"
    INVALID_INPUT = 6018 InvalidInput "An argument is out of range"
    INVALID_TOKEN_BADGE = 6020 InvalidTokenBadge "The mint needs a badge to be in a pool"
    INVALID_MINIMUM_LIQUIDITY = 6021 InvalidMinimumLiquidity "The first liquidity is too little"
    INVALID_VESTING_INFO = 6022 InvalidVestingInfo "The schedule locks nothing, begins in the past or lasts too long"
    INSUFFICIENT_LIQUIDITY = 6023 InsufficientLiquidity "The position has less unlocked liquidity"
    INVALID_VESTING_ACCOUNT = 6024 InvalidVestingAccount "The schedule is another position's, or there is one already"
    UNSUPPORT_NATIVE_MINT_TOKEN_2022 = 6026 UnsupportNativeMintToken2022 "Pools do not take Token-2022's wrapped SOL"
    FEE_INVERSE_IS_INCORRECT = 6038 FeeInverseIsIncorrect "The transfer fee does not invert"
    POSITION_IS_NOT_EMPTY = 6039 PositionIsNotEmpty "The position still has liquidity, fees or rewards"
    INVALID_CONFIG_TYPE = 6041 InvalidConfigType "The configuration is one without terms of its own"
    INVALID_BASE_FEE_MODE = 6047 InvalidBaseFeeMode "The base fee's mode must be 0 to 4"
    INVALID_FEE_TIME_SCHEDULER = 6050 InvalidFeeTimeScheduler "A schedule has periods, a frequency and a reduction"
    UNDETERMINED_ERROR = 6051 UndeterminedError "Cannot happen"
    INVALID_POOL_VERSION = 6052 InvalidPoolVersion "The pool's fee version must be 0 or 1"
    INVALID_AUTHORITY = 6053 InvalidAuthority "The signer neither holds the position nor may act for who does"
    INVALID_FEE_MARKET_CAP_SCHEDULER = 6055 InvalidFeeMarketCapScheduler "A schedule by price has no zero in it"
    INVALID_COMPOUNDING_FEE_BPS = 6067 InvalidCompoundingFeeBps "The compounded share does not fit the mode"
    DEPRECATED_BASE_FEE_MODE = 6071 DeprecatedBaseFeeMode "Fees that rise with the amount are not supported"
}

/// Returns the program's error for one of the shared arithmetic.
#[cold]
#[inline(never)]
pub fn convert(wrong: Wrong) -> ProgramError {
    match wrong {
        Wrong::Overflow => MATH_OVERFLOW.into(),
        Wrong::Cast => TYPE_CAST_FAILED.into(),
    }
}
