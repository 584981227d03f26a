//! The movements of tokens.

use sluice_program::token::{self, CloseAccount, Transfer};
use sluice_program::{associated_token, system, Account, Result};

use crate::checks::{Expected, Programs};
use crate::state::Dca;

/// The associated token account of a wallet, which is created if nothing owns its address.
pub struct Opening<'a> {
    pub payer: Account<'a>,
    pub account: Account<'a>,
    pub wallet: Account<'a>,
    pub mint: Account<'a>,
    pub programs: Programs<'a>,
    pub name: &'static str,
}

impl<'a> Opening<'a> {
    /// Opens the account if it is missing, and returns its balance. An account that exists may be any one of the wallet's.
    /// Fails as [`Expected::load`] does, or within the associated token program if a missing account is not the associated
    /// one.
    #[inline(never)]
    pub fn open(&self) -> Result<u64> {
        self.create()?;
        self.expected().load(self.account)
    }

    /// Does the same as [`Opening::open`], and fails with ConstraintAssociated for any other account of the wallet's.
    #[inline(never)]
    pub fn open_associated(&self) -> Result<u64> {
        self.create()?;
        self.expected().load_associated(self.account)
    }

    fn expected(&self) -> Expected<'a> {
        Expected { owner: self.wallet.address(), mint: self.mint.address(), name: self.name }
    }

    fn create(&self) -> Result {
        if self.account.is_owned_by(&system::PROGRAM) {
            associated_token::CreateIdempotent {
                payer: self.payer,
                account: self.account,
                wallet: self.wallet,
                mint: self.mint,
                system_program: self.programs.system,
                token_program: self.programs.token,
            }
            .invoke()?;
        }
        Ok(())
    }
}

/// A token account of an order.
pub struct Holding<'a, 'o> {
    pub order: &'o Dca,
    pub address: Account<'a>,
    pub account: Account<'a>,
    pub token_program: Account<'a>,
}

impl<'a> Holding<'a, '_> {
    /// Pays tokens out of the account. An amount of zero is not transferred.
    #[inline(never)]
    pub fn pay(&self, destination: Account<'a>, amount: u64) -> Result {
        if amount == 0 {
            return Ok(());
        }
        let Self { account: source, address: authority, token_program: program, .. } = *self;
        self.order
            .sign(|signers| Transfer { program, source, destination, authority, amount }.invoke(signers))
    }

    /// Pays everything that the account holds, also what nobody deposited.
    pub fn pay_all(&self, destination: Account<'a>) -> Result {
        self.pay(destination, token::amount_of(self.account)?)
    }

    /// Closes the account, which is empty or holds wrapped SOL, and pays its lamports to `destination`.
    #[inline(never)]
    pub fn close(&self, destination: Account<'a>) -> Result {
        let Self { account, address: authority, token_program: program, .. } = *self;
        self.order.sign(|signers| CloseAccount { program, account, destination, authority }.invoke(signers))
    }
}
