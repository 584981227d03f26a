//! The token calls of pools, and the transfer fees of Token-2022 mints.

use crate::error::{in_range, FEE_INVERSE_IS_INCORRECT, MATH_OVERFLOW, UNSUPPORT_NATIVE_MINT_TOKEN_2022};
use crate::keys::{AUTHORITY_BUMP, AUTHORITY_SEED, NATIVE_MINT_2022};
use sluice_program::cpi::Signers;
use sluice_program::sysvar::Clock;
use sluice_program::token::{self, Extension, TransferChecked, TransferFee, TransferFeeConfig};
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
        Ok(in_range(self.mint.data()?.get(DECIMALS).copied(), "decimals of the mint"))
    }
}

/// Returns the part of an amount that arrives. Fails with MathOverflow if the fee exceeds the amount.
#[inline(never)]
pub fn without_fee(mint: Account, amount: u64) -> Result<u64> {
    let Some(fee) = fee_in_force(mint)? else {
        return Ok(amount);
    };
    let fee = fee.fee(amount).ok_or(MATH_OVERFLOW)?;
    amount.checked_sub(fee).ok_or_else(|| MATH_OVERFLOW.into())
}

/// Returns the amount to send so that `net` arrives. Fails with FeeInverseIsIncorrect if the two roundings of the fee
/// disagree.
#[inline(never)]
pub fn with_fee(mint: Account, net: u64) -> Result<u64> {
    if net == 0 {
        return Ok(0);
    }
    let Some(terms) = fee_in_force(mint)? else {
        return Ok(net);
    };
    let whole = terms.bps as u64 == crate::keys::BPS;
    let fee = if whole { Some(terms.maximum) } else { terms.fee_to_deliver(net) };
    let fee = fee.ok_or(MATH_OVERFLOW)?;
    let gross = net.checked_add(fee).ok_or(MATH_OVERFLOW)?;
    if terms.fee(gross) == Some(fee) {
        Ok(gross)
    } else {
        Err(FEE_INVERSE_IS_INCORRECT.into())
    }
}

/// Returns the mint's transfer fee of this epoch, or None if it has none.
fn fee_in_force(mint: Account) -> Result<Option<TransferFee>> {
    if mint.is_owned_by(&token::PROGRAM) {
        return Ok(None);
    }
    match TransferFeeConfig::find(&mint.data()?)? {
        None => Ok(None),
        Some(config) => Ok(Some(config.at(Clock::get()?.epoch))),
    }
}

/// Returns whether pools accept the mint without a badge: a mint of the classic token program, or one with harmless
/// extensions only.
#[inline(never)]
pub fn is_supported(mint: Account) -> Result<bool> {
    if mint.is_owned_by(&token::PROGRAM) {
        return Ok(true);
    }
    if *mint.address() == NATIVE_MINT_2022 {
        return Err(UNSUPPORT_NATIVE_MINT_TOKEN_2022.into());
    }
    let data = mint.data()?;
    let harmless = token::extensions(&data).all(|(kind, body)| is_harmless(kind, body));
    Ok(harmless)
}

fn is_harmless(kind: u16, body: &[u8]) -> bool {
    const HARMLESS: [Extension; 3] =
        [Extension::TransferFeeConfig, Extension::MetadataPointer, Extension::TokenMetadata];
    // A transfer hook without program and without authority can never run.
    let idle_hook = kind == Extension::TransferHook as u16 && body.iter().all(|byte| *byte == 0);
    idle_hook || HARMLESS.iter().any(|each| *each as u16 == kind)
}
