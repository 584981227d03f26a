//! The token calls of a pool. The caller chooses the token program, as in the public program: no other program than
//! the one that owns the pool's token accounts can move their tokens.

use sluice_program::cpi::Signers;
use sluice_program::token::{MintTo, Transfer};
use sluice_program::{Account, Result};

/// A pool that signs token calls by its authority.
#[derive(Clone, Copy)]
pub struct PoolSigner<'a> {
    pub pool: Account<'a>,
    pub authority: Account<'a>,
    pub token_program: Account<'a>,
    pub nonce: u8,
}

impl<'a> PoolSigner<'a> {
    /// Pays `amount` out of the pool's reserve `from`.
    #[inline(never)]
    pub fn pay(&self, from: Account<'a>, to: Account<'a>, amount: u64) -> Result {
        let Self { authority, token_program: program, .. } = *self;
        self.as_pool(|signers| {
            Transfer { program, source: from, destination: to, authority, amount }.invoke(signers)
        })
    }

    /// Mints LP tokens.
    #[inline(never)]
    pub fn mint(&self, mint: Account<'a>, to: Account<'a>, amount: u64) -> Result {
        let Self { authority, token_program: program, .. } = *self;
        self.as_pool(|signers| MintTo { program, mint, destination: to, authority, amount }.invoke(signers))
    }

    #[inline(always)]
    fn as_pool<T>(&self, run: impl FnOnce(Signers) -> T) -> T {
        run(&[&[self.pool.address().as_ref(), &[self.nonce]]])
    }
}

/// Moves `amount` from the user, who signs, into the pool.
pub fn take<'a>(
    program: Account<'a>,
    source: Account<'a>,
    destination: Account<'a>,
    authority: Account<'a>,
    amount: u64,
) -> Result {
    Transfer { program, source, destination, authority, amount }.invoke(&[])
}
