//! Payments from a reserve's vault.

use crate::error::INSUFFICIENT_BALANCE;
use crate::keys::LIQUIDITY_SEED;
use sluice_program::{token, Account, Result};

/// The vault of a reserve. The program's main account signs for it.
pub struct Vault<'a> {
    pub account: Account<'a>,
    pub liquidity: Account<'a>,
    pub bump: u8,
    pub mint: Account<'a>,
    pub decimals: u8,
    pub token_program: Account<'a>,
}

impl Vault<'_> {
    /// Fails with InsufficientBalance if the vault holds less than `amount`.
    #[inline(never)]
    pub fn pay(&self, to: Account, amount: u64) -> Result {
        if token::amount_of(self.account)? < amount {
            return Err(INSUFFICIENT_BALANCE.into());
        }
        token::TransferChecked {
            program: self.token_program,
            source: self.account,
            mint: self.mint,
            destination: to,
            authority: self.liquidity,
            amount,
            decimals: self.decimals,
        }
        .invoke(&[&[LIQUIDITY_SEED, &[self.bump]]])
    }
}
