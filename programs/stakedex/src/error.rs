//! The error codes of the public program that are returned here.

use sluice_program::ProgramError;

pub const WRONG_WSOL_BRIDGE_IN: ProgramError = ProgramError::custom(0);
pub const WRONG_SOL_BRIDGE_OUT: ProgramError = ProgramError::custom(1);
pub const WRONG_FEE_TOKEN_ACCOUNT: ProgramError = ProgramError::custom(2);
pub const WRONG_TOKEN_PROGRAM: ProgramError = ProgramError::custom(3);
pub const NOT_SYSTEM_ACCOUNT: ProgramError = ProgramError::custom(4);
pub const NOT_WSOL_MINT: ProgramError = ProgramError::custom(5);
pub const NUMERICAL_ERROR: ProgramError = ProgramError::custom(12);
pub const UNSUPPORTED_PROGRAM: ProgramError = ProgramError::custom(13);
