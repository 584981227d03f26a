//! Token-2022 mints: their transfer fees, and the extensions that a pool accepts.

use crate::error::{in_range, INVALID_INPUT, TRANSFER_FEE_CALCULATE_NOT_MATCH};
use crate::keys::{PROGRAM, SUPPORT_MINT_SEED};
use crate::state;
use sluice_program::sysvar::Clock;
use sluice_program::token::{self, Extension, TransferFee, TransferFeeConfig};
use sluice_program::{anchor, bytes, Account, Address, Result};

const WHOLE: u16 = 10_000;

/// Returns the fee that a transfer of `amount` withholds.
pub fn transfer_fee(mint: Account, amount: u64) -> Result<u64> {
    match fee_in_force(mint)? {
        None => Ok(0),
        Some(fee) => Ok(in_range(fee.fee(amount), "transfer fee")),
    }
}

/// Returns the fee to add to `net` so that `net` arrives. Fails with InvalidInput if `net` is zero and the mint is
/// one of Token-2022.
pub fn transfer_fee_to_deliver(mint: Account, net: u64) -> Result<u64> {
    if mint.is_owned_by(&token::PROGRAM) {
        return Ok(0);
    }
    if net == 0 {
        return Err(INVALID_INPUT.into());
    }
    let Some(terms) = fee_in_force(mint)? else {
        return Ok(0);
    };
    if terms.bps == WHOLE {
        return Ok(terms.maximum);
    }
    let fee = in_range(terms.fee_to_deliver(net), "transfer fee");
    let charged = terms.fee(in_range(net.checked_add(fee), "amount with transfer fee"));
    if charged == Some(fee) {
        Ok(fee)
    } else {
        Err(TRANSFER_FEE_CALCULATE_NOT_MATCH.into())
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

/// Returns whether pools accept the mint: a mint of the classic token program, one with harmless extensions only, or
/// one that the program's admin has permitted, as an account among `permits` proves.
pub fn is_supported(mint: Account, permits: &[Account]) -> Result<bool> {
    if mint.is_owned_by(&token::PROGRAM) || has_permit(mint.address(), permits)? {
        return Ok(true);
    }
    let data = mint.data()?;
    let harmless = token::extensions(&data).all(|(kind, body)| is_harmless(kind, body));
    Ok(harmless)
}

fn is_harmless(kind: u16, body: &[u8]) -> bool {
    const HARMLESS: [Extension; 5] = [
        Extension::TransferFeeConfig,
        Extension::MetadataPointer,
        Extension::TokenMetadata,
        Extension::InterestBearingConfig,
        Extension::ScaledUiAmount,
    ];
    // A transfer hook without program and without authority can never run.
    let idle_hook = kind == Extension::TransferHook as u16 && body.iter().all(|byte| *byte == 0);
    idle_hook || HARMLESS.iter().any(|each| *each as u16 == kind)
}

fn has_permit(mint: &Address, permits: &[Account]) -> Result<bool> {
    if permits.is_empty() {
        return Ok(false);
    }
    let (expected, _) = Address::find(&[SUPPORT_MINT_SEED, &mint.0], &PROGRAM)?;
    for permit in permits {
        if permit.is_owned_by(&PROGRAM) && *permit.address() == expected {
            let data = anchor::load(*permit, &PROGRAM, &state::SUPPORT_MINT_TAG, "support_mint_associated")?;
            // The bump comes before the mint.
            return Ok(bytes::address_at(&data, 9).as_ref() == Some(mint));
        }
    }
    Ok(false)
}
