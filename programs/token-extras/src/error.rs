//! The public program's error numbers and texts.

use sluice_program::{log, ProgramError, Result};

/// The number that the program returns, and the text that it logs.
pub type TokenExtrasError = (u32, &'static str);

pub const INVALID_SYSTEM_PROGRAM: TokenExtrasError = (0, "Invalid System Program");
pub const INVALID_TOKEN_PROGRAM: TokenExtrasError = (1, "Invalid Token Program");
pub const INVALID_ASSOCIATED_TOKEN_PROGRAM: TokenExtrasError = (2, "Invalid Associated Token Program");
pub const INVALID_ASSOCIATED_TOKEN_ACCOUNT: TokenExtrasError =
    (3, "Invalid Associated Token Account: it should derive from the provided mint and owner");
pub const INVALID_PROGRAM_OWNER: TokenExtrasError = (4, "Invalid Program Owner");
pub const INVALID_TOKEN_MINT: TokenExtrasError =
    (5, "Invalid Token Mint: it should be the same as the provided mint account");
pub const INVALID_TOKEN_OWNER: TokenExtrasError =
    (6, "Invalid Program Owner: it should be the same as the provided owner account");
pub const CANNOT_CREATE_NON_ASSOCIATED_TOKEN: TokenExtrasError = (
    7,
    "Cannot create non-associated token accounts as they would need to sign the transaction. Please provide an associated token account instead",
);

/// Fails with the number of `error` unless `holds`, and logs its text.
pub fn require(holds: bool, (number, text): TokenExtrasError) -> Result {
    if holds {
        return Ok(());
    }
    log::text(text);
    Err(ProgramError::custom(number))
}
