//! The token calls of pools.

use crate::keys::AUTHORITY_SEED;
use sluice_program::cpi::Signers;
use sluice_program::token::{self, TransferChecked};
use sluice_program::{Account, Result};

/// A token of the pool, with the accounts that an instruction names for it.
#[derive(Clone, Copy)]
pub struct Token<'a> {
    pub mint: Account<'a>,
    pub decimals: u8,
    pub program: Account<'a>,
}

impl<'a> Token<'a> {
    /// Transfers `amount`, unless it is zero. `authority` signs.
    #[inline(always)]
    pub fn transfer(
        &self,
        from: Account<'a>,
        to: Account<'a>,
        authority: Account<'a>,
        signed: (u64, Signers),
    ) -> Result {
        let (amount, signers) = signed;
        if amount == 0 {
            return Ok(());
        }
        TransferChecked {
            program: self.program,
            source: from,
            mint: self.mint,
            destination: to,
            authority,
            amount,
            decimals: self.decimals,
        }
        .invoke(signers)
    }
}

/// Returns the one of the two token programs that owns the mint.
pub fn program_of<'a>(mint: Account, token_program: Account<'a>, token_2022: Account<'a>) -> Account<'a> {
    if mint.is_owned_by(&token::PROGRAM) {
        token_program
    } else {
        token_2022
    }
}

/// Calls `run` with the seeds with which the pools' authority signs.
#[inline(always)]
pub fn with_authority<T>(bump: u8, run: impl FnOnce(Signers) -> T) -> T {
    run(&[&[AUTHORITY_SEED, &[bump]]])
}
