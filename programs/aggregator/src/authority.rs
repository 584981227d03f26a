//! The authorities that sign for the tokens of a route.

use crate::error::INVALID_PROGRAM_AUTHORITY;
use crate::keys::{AUTHORITIES, AUTHORITY_SEED, PROGRAM};
use sluice_program::cpi::Signers;
use sluice_program::{Account, Address, Result};

/// Either the user, who signed the transaction, or a program authority, for which the program signs.
#[derive(Clone, Copy)]
pub struct Authority<'a> {
    pub account: Account<'a>,
    /// The id and the bump of a program authority.
    derived: Option<[u8; 2]>,
}

impl<'a> Authority<'a> {
    /// Returns the authority of a user, whose signature the runtime checks.
    pub const fn user(account: Account<'a>) -> Self {
        Self { account, derived: None }
    }

    /// Returns the program authority of `id`. Fails with InvalidProgramAuthority if `account` is another account.
    pub fn program(account: Account<'a>, id: u8) -> Result<Self> {
        let (address, bump) = derive(id)?;
        if *account.address() != address {
            return Err(INVALID_PROGRAM_AUTHORITY.into());
        }
        Ok(Self { account, derived: Some([id, bump]) })
    }

    /// Does the same as [`Authority::program`] without comparing the account. The runtime then refuses the signature
    /// of another account.
    pub fn program_unchecked(account: Account<'a>, id: u8) -> Result<Self> {
        let (_, bump) = derive(id)?;
        Ok(Self { account, derived: Some([id, bump]) })
    }

    /// Calls `run` with the seeds with which this authority signs a call.
    #[inline(always)]
    pub fn with_signers<T>(&self, run: impl FnOnce(Signers) -> T) -> T {
        match &self.derived {
            None => run(&[]),
            Some([id, bump]) => run(&[&[AUTHORITY_SEED, &[*id], &[*bump]]]),
        }
    }
}

#[inline(always)]
fn derive(id: u8) -> Result<(Address, u8)> {
    match AUTHORITIES.get(id as usize) {
        Some(known) => Ok(*known),
        None => Address::find(&[AUTHORITY_SEED, &[id]], &PROGRAM),
    }
}
