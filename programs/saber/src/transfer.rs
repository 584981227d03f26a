//! Token calls of pools. The token program is whichever the caller names, as in the public program: a pool's accounts
//! belong to one, and no other can move them.

use sluice_program::cpi::Signers;
use sluice_program::token::{MintTo, Transfer};
use sluice_program::{Account, Result};

/// The pool, its authority, and the token program.
#[derive(Clone, Copy)]
pub struct Teller<'a> {
    pub pool: Account<'a>,
    pub authority: Account<'a>,
    pub token_program: Account<'a>,
    pub nonce: u8,
}

impl<'a> Teller<'a> {
    #[inline(never)]
    pub fn pay(&self, from: Account<'a>, to: Account<'a>, amount: u64) -> Result {
        let Self { authority, token_program: program, .. } = *self;
        self.as_pool(|signers| {
            Transfer { program, source: from, destination: to, authority, amount }.invoke(signers)
        })
    }

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

/// From the user, who signs.
pub fn take<'a>(
    program: Account<'a>,
    source: Account<'a>,
    destination: Account<'a>,
    authority: Account<'a>,
    amount: u64,
) -> Result {
    Transfer { program, source, destination, authority, amount }.invoke(&[])
}
