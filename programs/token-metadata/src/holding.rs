//! Checks of the token accounts of an asset.

use crate::error::{
    INCORRECT_OWNER, INVALID_TOKEN_EXTENSION_TYPE, MINT_MISMATCH, MISSING_IMMUTABLE_OWNER_EXTENSION,
};
use crate::state::{require, NON_FUNGIBLE};
use sluice_program::token::{extensions, has_extension, Extension, TokenAccount};
use sluice_program::{Account, Result};

/// The extensions of a token account that can hold a non-fungible token.
const IMMUTABLE_OWNER: u16 = 7;
const NON_TRANSFERABLE_ACCOUNT: u16 = 13;

/// A token account that exists, and what it must belong to.
pub struct Holding<'a> {
    pub account: Account<'a>,
    pub mint: Account<'a>,
    /// None if it may be anybody's.
    pub owner: Option<Account<'a>>,
    pub token_program: Account<'a>,
}

impl Holding<'_> {
    /// Checks that the account can receive tokens of an asset with that token standard.
    #[inline(never)]
    pub fn check(&self, standard: Option<u8>) -> Result {
        require(self.account.is_owned_by(self.token_program.address()), INCORRECT_OWNER)?;
        let holding = TokenAccount::load(self.account, "token")?;
        require(holding.mint == *self.mint.address(), MINT_MISMATCH)?;
        if let Some(owner) = self.owner {
            require(holding.owner == *owner.address(), INCORRECT_OWNER)?;
        }
        let data = self.account.data()?;
        let mut fixed = false;
        for (kind, _) in extensions(&data) {
            fixed |= kind == IMMUTABLE_OWNER;
            let allowed = kind == IMMUTABLE_OWNER || kind == NON_TRANSFERABLE_ACCOUNT;
            require(allowed || standard != Some(NON_FUNGIBLE), INVALID_TOKEN_EXTENSION_TYPE)?;
        }
        let needed = has_extension(&self.mint.data()?, Extension::NonTransferable);
        require(fixed || !needed, MISSING_IMMUTABLE_OWNER_EXTENSION)
    }
}
