//! The public program's error codes. Codes that no instruction here returns are left out.

use sluice_program::ProgramError;

pub const ALREADY_IN_USE: ProgramError = ProgramError::custom(0);
pub const INVALID_ADMIN: ProgramError = ProgramError::custom(1);
pub const INVALID_OWNER: ProgramError = ProgramError::custom(2);
pub const INVALID_OUTPUT_OWNER: ProgramError = ProgramError::custom(3);
pub const INVALID_PROGRAM_ADDRESS: ProgramError = ProgramError::custom(4);
pub const EXPECTED_MINT: ProgramError = ProgramError::custom(5);
pub const EXPECTED_ACCOUNT: ProgramError = ProgramError::custom(6);
pub const EMPTY_POOL: ProgramError = ProgramError::custom(7);
pub const EMPTY_SUPPLY: ProgramError = ProgramError::custom(8);
pub const INVALID_SUPPLY: ProgramError = ProgramError::custom(9);
pub const INVALID_DELEGATE: ProgramError = ProgramError::custom(10);
pub const INVALID_INPUT: ProgramError = ProgramError::custom(11);
pub const INCORRECT_SWAP_ACCOUNT: ProgramError = ProgramError::custom(12);
pub const INCORRECT_MINT: ProgramError = ProgramError::custom(13);
pub const CALCULATION_FAILURE: ProgramError = ProgramError::custom(14);
pub const INVALID_INSTRUCTION: ProgramError = ProgramError::custom(15);
pub const REPEATED_MINT: ProgramError = ProgramError::custom(16);
pub const EXCEEDED_SLIPPAGE: ProgramError = ProgramError::custom(17);
pub const INVALID_CLOSE_AUTHORITY: ProgramError = ProgramError::custom(18);
pub const INVALID_FREEZE_AUTHORITY: ProgramError = ProgramError::custom(19);
pub const CONVERSION_FAILURE: ProgramError = ProgramError::custom(20);
pub const UNAUTHORIZED: ProgramError = ProgramError::custom(21);
pub const IS_PAUSED: ProgramError = ProgramError::custom(22);
pub const RAMP_LOCKED: ProgramError = ProgramError::custom(23);
pub const INSUFFICIENT_RAMP_TIME: ProgramError = ProgramError::custom(24);
pub const ACTIVE_TRANSFER: ProgramError = ProgramError::custom(25);
pub const NO_ACTIVE_TRANSFER: ProgramError = ProgramError::custom(26);
pub const ADMIN_DEADLINE_EXCEEDED: ProgramError = ProgramError::custom(27);
pub const MISMATCHED_DECIMALS: ProgramError = ProgramError::custom(28);
