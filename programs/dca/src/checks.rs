//! Checks that several instructions share.

use sluice_program::token::{self, Mint, TokenAccount};
use sluice_program::{anchor, associated_token, system, Account, Address, Result};

use crate::errors::{ADDRESS_MISMATCH, CONSTRAINT_ASSOCIATED};

/// The programs that an instruction lists behind its own accounts.
#[derive(Clone, Copy)]
pub struct Programs<'a> {
    pub system: Account<'a>,
    pub token: Account<'a>,
}

impl<'a> Programs<'a> {
    /// Checks the three programs in the order of the interface. Fails with InvalidProgramId: Token-2022 is not supported.
    pub fn check(system: Account<'a>, token: Account<'a>, associated_token: Account<'a>) -> Result<Self> {
        anchor::check_program(system, &[system::PROGRAM], "system_program")?;
        check_token_program(token)?;
        anchor::check_program(associated_token, &[associated_token::PROGRAM], "associated_token_program")?;
        Ok(Self { system, token })
    }
}

/// Fails with InvalidProgramId unless the account is the classic token program.
pub fn check_token_program(account: Account) -> Result {
    anchor::check_program(account, &[token::PROGRAM], "token_program")
}

/// Fails unless the account is a mint of the classic token program.
pub fn check_mint(account: Account, name: &str) -> Result {
    anchor::check_owner(account, &[token::PROGRAM], name)?;
    Mint::load(account, name).map(|_| ())
}

/// Fails with AddressMismatch unless the account is the one that the order names.
pub fn check_named(account: Account, named: &Address, name: &str) -> Result {
    if account.address() == named {
        Ok(())
    } else {
        Err(ADDRESS_MISMATCH.of(name))
    }
}

/// What a token account must be.
pub struct Expected<'s> {
    pub owner: &'s Address,
    pub mint: &'s Address,
    pub name: &'s str,
}

impl Expected<'_> {
    /// Returns the balance of a token account of the classic token program. Fails with ConstraintTokenOwner or
    /// ConstraintTokenMint if it is of another owner or mint, and with ConstraintMut if it is read-only.
    #[inline(never)]
    pub fn load(&self, account: Account) -> Result<u64> {
        anchor::check_owner(account, &[token::PROGRAM], self.name)?;
        let tokens = TokenAccount::load(account, self.name)?;
        if tokens.owner != *self.owner {
            return Err(anchor::CONSTRAINT_TOKEN_OWNER.of(self.name));
        }
        if tokens.mint != *self.mint {
            return Err(anchor::CONSTRAINT_TOKEN_MINT.of(self.name));
        }
        anchor::check_writable(account, self.name)?;
        Ok(tokens.amount)
    }

    /// Does the same as [`Expected::load`], and fails with ConstraintAssociated unless the account is the owner's
    /// associated one. This is for accounts that somebody else than their owner names.
    #[inline(never)]
    pub fn load_associated(&self, account: Account) -> Result<u64> {
        let amount = self.load(account)?;
        if *account.address() != associated_token::find(self.owner, self.mint, &token::PROGRAM)? {
            return Err(CONSTRAINT_ASSOCIATED.of(self.name));
        }
        Ok(amount)
    }
}
