//! The public program's error codes. Codes that no instruction here returns are left out.

use sluice_program::ProgramError;

pub const ALREADY_IN_USE: ProgramError = ProgramError::custom(0);
pub const INVALID_PROGRAM_ADDRESS: ProgramError = ProgramError::custom(1);
pub const INVALID_STATE: ProgramError = ProgramError::custom(2);
pub const CALCULATION_FAILURE: ProgramError = ProgramError::custom(3);
pub const FEE_TOO_HIGH: ProgramError = ProgramError::custom(4);
pub const SIGNATURE_MISSING: ProgramError = ProgramError::custom(7);
pub const INVALID_VALIDATOR_STAKE_LIST: ProgramError = ProgramError::custom(8);
pub const INVALID_FEE_ACCOUNT: ProgramError = ProgramError::custom(9);
pub const WRONG_POOL_MINT: ProgramError = ProgramError::custom(10);
pub const WRONG_STAKE_STAKE: ProgramError = ProgramError::custom(11);
pub const STAKE_LIST_OUT_OF_DATE: ProgramError = ProgramError::custom(16);
pub const STAKE_LIST_AND_POOL_OUT_OF_DATE: ProgramError = ProgramError::custom(17);
pub const WRONG_MINTING_AUTHORITY: ProgramError = ProgramError::custom(19);
pub const UNEXPECTED_VALIDATOR_LIST_ACCOUNT_SIZE: ProgramError = ProgramError::custom(20);
pub const NON_ZERO_POOL_TOKEN_SUPPLY: ProgramError = ProgramError::custom(22);
pub const INVALID_MINT_FREEZE_AUTHORITY: ProgramError = ProgramError::custom(26);
pub const WITHDRAWAL_TOO_SMALL: ProgramError = ProgramError::custom(28);
pub const DEPOSIT_TOO_SMALL: ProgramError = ProgramError::custom(29);
pub const INVALID_SOL_DEPOSIT_AUTHORITY: ProgramError = ProgramError::custom(31);
pub const INVALID_SOL_WITHDRAW_AUTHORITY: ProgramError = ProgramError::custom(34);
pub const SOL_WITHDRAWAL_TOO_LARGE: ProgramError = ProgramError::custom(35);
pub const UNSUPPORTED_MINT_EXTENSION: ProgramError = ProgramError::custom(37);
pub const UNSUPPORTED_FEE_ACCOUNT_EXTENSION: ProgramError = ProgramError::custom(38);
pub const EXCEEDED_SLIPPAGE: ProgramError = ProgramError::custom(39);
pub const INCORRECT_MINT_DECIMALS: ProgramError = ProgramError::custom(40);
pub const TOO_MANY_VALIDATORS_IN_POOL: ProgramError = ProgramError::custom(44);
