//! Who signs for the tokens that a route moves.

use crate::error::INVALID_PROGRAM_AUTHORITY;
use crate::keys::{AUTHORITIES, AUTHORITY_SEED, PROGRAM};
use sluice_program::cpi::Signers;
use sluice_program::{Account, Address, Result};

/// The user, who signed the transaction, or a program authority, for which the program signs.
#[derive(Clone, Copy)]
pub struct Authority<'a> {
    pub account: Account<'a>,
    /// Id and bump of a program authority.
    derived: Option<[u8; 2]>,
}

impl<'a> Authority<'a> {
    pub const fn user(account: Account<'a>) -> Self {
        Self { account, derived: None }
    }

    /// InvalidProgramAuthority unless `account` is the program authority of `id`.
    pub fn program(account: Account<'a>, id: u8) -> Result<Self> {
        let (address, bump) = derive(id)?;
        if *account.address() != address {
            return Err(INVALID_PROGRAM_AUTHORITY.into());
        }
        Ok(Self { account, derived: Some([id, bump]) })
    }

    /// As [`Authority::program`], for callers that leave it to the runtime to refuse another account's
    /// signature.
    pub fn program_unchecked(account: Account<'a>, id: u8) -> Result<Self> {
        let (_, bump) = derive(id)?;
        Ok(Self { account, derived: Some([id, bump]) })
    }

    /// Calls `run` with what makes this authority a signer of a call.
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
