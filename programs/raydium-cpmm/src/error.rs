//! The error codes of the public program.

use sluice_program::{entrypoint, log};

sluice_program::errors! {
    NOT_APPROVED = 6000 NotApproved "Not allowed at present"
    INVALID_OWNER = 6001 InvalidOwner "The signer may not do this"
    EMPTY_SUPPLY = 6002 EmptySupply "A side of the pool would be empty"
    INVALID_INPUT = 6003 InvalidInput "An argument is out of range"
    INCORRECT_LP_MINT = 6004 IncorrectLpMint "The mint is not the pool's LP mint"
    EXCEEDED_SLIPPAGE = 6005 ExceededSlippage "The amount is beyond the given limit"
    ZERO_TRADING_TOKENS = 6006 ZeroTradingTokens "The amount is worth nothing of a token"
    NOT_SUPPORT_MINT = 6007 NotSupportMint "The mint has an extension that pools do not take"
    INVALID_VAULT = 6008 InvalidVault "The vaults are not the two of the pool"
    INIT_LP_AMOUNT_TOO_LESS = 6009 InitLpAmountTooLess "The first liquidity is below the 100 that stay locked"
    TRANSFER_FEE_CALCULATE_NOT_MATCH = 6010 TransferFeeCalculateNotMatch "The transfer fee does not invert"
    MATH_OVERFLOW = 6011 MathOverflow "A number leaves its range"
    INSUFFICIENT_VAULT = 6012 InsufficientVault "A vault holds less than the fees it owes"
    INVALID_FEE_MODEL = 6013 InvalidFeeModel "The creator's token must be 0, 1 or 2"
    NO_FEE_COLLECT = 6014 NoFeeCollect "There are no fees to collect"
}

/// Ends the program where the public one panics, which is on amounts that its arithmetic does not support.
#[cold]
#[inline(never)]
pub fn out_of_range(what: &str) -> ! {
    log::Line::new().text("out of range: ").text(what).emit();
    entrypoint::abort()
}

/// Returns the value, or ends the program if it is None.
#[inline(always)]
pub fn in_range<T>(value: Option<T>, what: &str) -> T {
    match value {
        Some(value) => value,
        None => out_of_range(what),
    }
}
