//! The opening of associated token accounts.

use sluice_program::cpi::{self, Signers};
use sluice_program::token::TokenAccount;
use sluice_program::{anchor, associated_token, system, Account, Result};

use crate::errors::{ACCOUNT_NOT_ASSOCIATED_TOKEN_ACCOUNT, CONSTRAINT_ASSOCIATED_TOKEN_TOKEN_PROGRAM};

const CREATE: u8 = 0;
const CREATE_IDEMPOTENT: u8 = 1;

/// The account in which a wallet keeps its tokens of a mint.
pub struct AssociatedTokens<'a> {
    pub payer: Account<'a>,
    pub account: Account<'a>,
    pub wallet: Account<'a>,
    pub mint: Account<'a>,
    pub system_program: Account<'a>,
    pub token_program: Account<'a>,
    pub name: &'static str,
}

impl AssociatedTokens<'_> {
    /// Creates the account unless it exists. The associated token program refuses another address.
    pub fn open(&self, signers: Signers) -> Result {
        self.call(CREATE_IDEMPOTENT, signers)
    }

    /// Creates the account if nothing owns its address, and checks it otherwise. Fails with ConstraintTokenMint,
    /// ConstraintTokenOwner, ConstraintAssociatedTokenTokenProgram or AccountNotAssociatedTokenAccount.
    #[inline(never)]
    pub fn open_or_check(&self) -> Result {
        if self.account.is_owned_by(&system::PROGRAM) {
            self.call(CREATE, &[])?;
        }
        let tokens = TokenAccount::load(self.account, self.name)?;
        if tokens.mint != *self.mint.address() {
            return Err(anchor::CONSTRAINT_TOKEN_MINT.of(self.name));
        }
        if tokens.owner != *self.wallet.address() {
            return Err(anchor::CONSTRAINT_TOKEN_OWNER.of(self.name));
        }
        let program = self.token_program.address();
        if !self.account.is_owned_by(program) {
            return Err(CONSTRAINT_ASSOCIATED_TOKEN_TOKEN_PROGRAM.of(self.name));
        }
        if *self.account.address()
            != associated_token::find(self.wallet.address(), self.mint.address(), program)?
        {
            return Err(ACCOUNT_NOT_ASSOCIATED_TOKEN_ACCOUNT.of(self.name));
        }
        Ok(())
    }

    fn call(&self, instruction: u8, signers: Signers) -> Result {
        let accounts = [
            self.payer.writable_signer(),
            self.account.writable(),
            self.wallet.readonly(),
            self.mint.readonly(),
            self.system_program.readonly(),
            self.token_program.readonly(),
        ];
        cpi::invoke(&associated_token::PROGRAM, &accounts, &[instruction], signers)
    }
}
