//! Checks that several instructions share.

use crate::error::{CONSTRAINT_ASSOCIATED, CONSTRAINT_ASSOCIATED_TOKEN_TOKEN_PROGRAM};
use crate::keys::MEMO_PROGRAM;
use sluice_program::token::{self, TokenAccount};
use sluice_program::{anchor, associated_token, system, Account, Address, Result};

pub fn check_system_program(account: Account) -> Result {
    anchor::check_program(account, &[system::PROGRAM], "system_program")
}

pub fn check_memo_program(account: Account) -> Result {
    anchor::check_program(account, &[MEMO_PROGRAM], "memo_program")
}

pub fn check_token_program(account: Account) -> Result {
    anchor::check_program(account, &token::PROGRAMS, "token_program")
}

/// Reads a token account of the classic token program.
#[inline(never)]
pub fn load_classic(account: Account, name: &str) -> Result<TokenAccount> {
    anchor::check_owner(account, &[token::PROGRAM], name)?;
    TokenAccount::load(account, name)
}

/// Fails with ConstraintHasOne unless `account` stands at the address that the escrow names.
#[inline(never)]
pub fn check_named(account: Account, named: &Address) -> Result {
    if account.address() == named {
        Ok(())
    } else {
        Err(anchor::CONSTRAINT_HAS_ONE.of("escrow"))
    }
}

/// Checks that `held` is the associated token account of the escrow, and writable. Fails with
/// ConstraintAssociatedTokenTokenProgram, ConstraintTokenOwner, ConstraintAssociated or ConstraintMut.
#[inline(never)]
pub fn check_escrow_token(
    account: Account,
    held: &TokenAccount,
    escrow: &Address,
    [mint, token_program]: [&Address; 2],
) -> Result {
    const NAME: &str = "escrow_token";
    if !account.is_owned_by(token_program) {
        return Err(CONSTRAINT_ASSOCIATED_TOKEN_TOKEN_PROGRAM.of(NAME));
    }
    if held.owner != *escrow {
        return Err(anchor::CONSTRAINT_TOKEN_OWNER.of(NAME));
    }
    if *account.address() != associated_token::find(escrow, mint, token_program)? {
        return Err(CONSTRAINT_ASSOCIATED.of(NAME));
    }
    anchor::check_writable(account, NAME)
}

/// A token account that an instruction pays to, as it should be.
pub struct Payee<'s> {
    pub held: &'s TokenAccount,
    pub owner: &'s Address,
    pub mint: &'s Address,
    pub token_program: &'s Address,
}

impl Payee<'_> {
    /// Fails with ConstraintMut, ConstraintTokenOwner, ConstraintTokenMint or ConstraintTokenTokenProgram.
    #[inline(never)]
    pub fn check(&self, account: Account, name: &str) -> Result {
        anchor::check_writable(account, name)?;
        if self.held.owner != *self.owner {
            return Err(anchor::CONSTRAINT_TOKEN_OWNER.of(name));
        }
        if self.held.mint != *self.mint {
            return Err(anchor::CONSTRAINT_TOKEN_MINT.of(name));
        }
        if !account.is_owned_by(self.token_program) {
            return Err(anchor::CONSTRAINT_TOKEN_TOKEN_PROGRAM.of(name));
        }
        Ok(())
    }
}
