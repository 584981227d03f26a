//! The token calls of pools.

use crate::error::{MATH_OVERFLOW, UNSUPPORT_NATIVE_MINT_TOKEN_2022};
use crate::keys::{AUTHORITY_BUMP, AUTHORITY_SEED, NATIVE_MINT_2022};
use sluice_program::bytes::Writer;
use sluice_program::cpi::{self, Signers};
use sluice_program::token::{self, Extension, TransferChecked};
use sluice_program::{Account, Address, Result};

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

/// The rights of a mint that [`SetAuthority`] gives away.
#[derive(Clone, Copy)]
#[repr(u8)]
pub enum MintRight {
    MintTokens = 0,
    MetadataPointer = 12,
}

/// Gives a right of a mint to another address, or to nobody. `authority`, which has it, signs.
pub struct SetAuthority<'a> {
    pub program: Account<'a>,
    pub mint: Account<'a>,
    pub authority: Account<'a>,
    pub right: MintRight,
    pub to: Option<&'a Address>,
}

impl SetAuthority<'_> {
    /// Calls the token program.
    #[inline(never)]
    pub fn invoke(&self, signers: Signers) -> Result {
        let mut data = [0; 35];
        let mut writer = Writer::new(&mut data);
        writer.u8(6)?;
        writer.u8(self.right as u8)?;
        writer.u8(self.to.is_some() as u8)?;
        if let Some(to) = self.to {
            writer.address(to)?;
        }
        let accounts = [self.mint.writable(), self.authority.readonly_signer()];
        cpi::invoke(self.program.address(), &accounts, writer.written(), signers)
    }
}

/// Returns whether pools accept the quote mint: one of the classic token program, or one whose only extensions are
/// its metadata.
#[inline(never)]
pub fn is_supported_quote(mint: Account) -> Result<bool> {
    if mint.is_owned_by(&token::PROGRAM) {
        return Ok(true);
    }
    if *mint.address() == NATIVE_MINT_2022 {
        return Err(UNSUPPORT_NATIVE_MINT_TOKEN_2022.into());
    }
    const HARMLESS: [u16; 2] = [Extension::MetadataPointer as u16, Extension::TokenMetadata as u16];
    let data = mint.data()?;
    let harmless = token::extensions(&data).all(|(kind, _)| HARMLESS.contains(&kind));
    Ok(harmless)
}
