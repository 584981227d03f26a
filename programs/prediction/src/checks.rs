//! Checks of token accounts that several instructions share.

use sluice_program::token::TokenAccount;
use sluice_program::{anchor, associated_token, token, Account, Address, Result};

use crate::errors::{INVALID_MINT, INVALID_TOKEN_ACCOUNT};
use crate::vault::MINT;

/// Checks that a token account is of the settlement mint and of that owner, and returns its balance. Fails with
/// InvalidTokenAccount or InvalidMint.
#[inline(never)]
pub fn check_tokens(account: Account, owner: &Address, name: &str) -> Result<u64> {
    anchor::check_writable(account, name)?;
    let tokens = TokenAccount::load(account, name)?;
    if tokens.mint != MINT || !account.is_owned_by(&token::PROGRAM) {
        return Err(INVALID_MINT.of(name));
    }
    if tokens.owner != *owner {
        return Err(INVALID_TOKEN_ACCOUNT.of(name));
    }
    Ok(tokens.amount)
}

/// Fails with InvalidTokenAccount unless the account stands where the order's token account does.
#[inline(never)]
pub fn check_order_tokens(account: Account, order: &Address) -> Result {
    let expected = associated_token::find(order, &MINT, &token::PROGRAM)?;
    if *account.address() == expected {
        anchor::check_writable(account, "order_ata")
    } else {
        Err(INVALID_TOKEN_ACCOUNT.of("order_ata"))
    }
}
