//! The token calls of pools.

use crate::error::MATH_OVERFLOW;
use crate::keys::{AUTHORITY_BUMP, AUTHORITY_SEED};
use sluice_program::cpi::Signers;
use sluice_program::token::TransferChecked;
use sluice_program::{Account, Result};

/// The offset of a mint's decimals.
const DECIMALS: usize = 44;

/// Calls `run` with the seeds with which the pools' authority signs.
#[inline(always)]
pub fn with_authority<T>(run: impl FnOnce(Signers) -> T) -> T {
    run(&[&[AUTHORITY_SEED, &[AUTHORITY_BUMP]]])
}

/// A token of the pool, with the accounts that an instruction names for it.
#[derive(Clone, Copy)]
pub struct Token<'a> {
    pub mint: Account<'a>,
    pub vault: Account<'a>,
    pub program: Account<'a>,
}

impl<'a> Token<'a> {
    /// Transfers `amount` into the vault, even if it is zero.
    #[inline(never)]
    pub fn take_in(&self, from: Account<'a>, authority: Account<'a>, amount: u64) -> Result {
        let (source, destination, mint) = (from, self.vault, self.mint);
        let (program, decimals) = (self.program, self.decimals()?);
        TransferChecked { program, source, mint, destination, authority, amount, decimals }.invoke(&[])
    }

    /// Transfers `amount` out of the vault, even if it is zero.
    #[inline(never)]
    pub fn pay_out(&self, to: Account<'a>, authority: Account<'a>, amount: u64) -> Result {
        let (source, destination, mint) = (self.vault, to, self.mint);
        let (program, decimals) = (self.program, self.decimals()?);
        let transfer = TransferChecked { program, source, mint, destination, authority, amount, decimals };
        with_authority(|signers| transfer.invoke(signers))
    }

    fn decimals(&self) -> Result<u8> {
        self.mint.data()?.get(DECIMALS).copied().ok_or_else(|| MATH_OVERFLOW.into())
    }
}
