//! The token calls of escrows, and what mints and token accounts of Token-2022 demand of them.

use crate::error::{MATH_OVERFLOW, NO_TRANSFER_HOOK_PROGRAM, UNSUPPORTED_MINT};
use sluice_program::bytes::Writer;
use sluice_program::cpi::{CpiAccount, Signers};
use sluice_program::heap::List;
use sluice_program::sysvar::Clock;
use sluice_program::token::{self, Extension, Mint, TransferFeeConfig};
use sluice_program::{cpi, Account, Result};

/// The mint extension of confidential transfer fees.
const CONFIDENTIAL_TRANSFER_FEE_CONFIG: u16 = 16;
/// The extension with which a token account requires a memo before each transfer to it.
const MEMO_TRANSFER: u16 = 8;
/// The bytes of the instruction HarvestWithheldTokensToMint.
const HARVEST: [u8; 2] = [26, 4];
/// A fee of everything, in basis points.
const WHOLE: u16 = 10_000;

/// What an escrow may hold tokens of, in Token-2022. What the issuer can do by some of them is the creator's risk.
const SUPPORTED: [u16; 11] = [
    Extension::TransferFeeConfig as u16,
    Extension::MintCloseAuthority as u16,
    Extension::ConfidentialTransferMint as u16,
    Extension::DefaultAccountState as u16,
    Extension::PermanentDelegate as u16,
    Extension::TransferHook as u16,
    CONFIDENTIAL_TRANSFER_FEE_CONFIG,
    Extension::MetadataPointer as u16,
    Extension::TokenMetadata as u16,
    Extension::GroupPointer as u16,
    Extension::GroupMemberPointer as u16,
];

/// Fails with UnsupportedMint if the mint has an extension that escrows do not support.
#[inline(never)]
pub fn check_supported(mint: Account) -> Result {
    if mint.is_owned_by(&token::PROGRAM) {
        return Ok(());
    }
    let data = mint.data()?;
    let supported = token::extensions(&data).all(|(kind, _)| SUPPORTED.contains(&kind));
    if supported {
        Ok(())
    } else {
        Err(UNSUPPORTED_MINT.into())
    }
}

/// A checked transfer. `authority` signs.
pub struct Transfer<'s, 'a> {
    pub program: Account<'a>,
    pub source: Account<'a>,
    pub mint: Account<'a>,
    pub destination: Account<'a>,
    pub authority: Account<'a>,
    pub amount: u64,
    /// The accounts for the mint's transfer hook.
    pub hook: Option<&'s [Account<'a>]>,
}

impl Transfer<'_, '_> {
    /// Calls the token program, which takes from the accounts for the hook what the hook's own list names. Fails with
    /// NoTransferHookProgram if they are given for a mint without a hook, or missing for one with it.
    #[inline(never)]
    pub fn invoke(&self, signers: Signers) -> Result {
        if has_hook(self.mint)? != self.hook.is_some() {
            return Err(NO_TRANSFER_HOOK_PROGRAM.into());
        }
        let mut data = [0; 10];
        let mut writer = Writer::new(&mut data);
        writer.u8(12)?;
        writer.u64(self.amount)?;
        writer.u8(Mint::load(self.mint, "token_mint")?.decimals)?;
        let following = self.hook.unwrap_or(&[]);
        let mut accounts = List::<CpiAccount>::with_capacity(following.len() + 4)?;
        accounts.push(self.source.writable())?;
        accounts.push(self.mint.readonly())?;
        accounts.push(self.destination.writable())?;
        accounts.push(self.authority.readonly_signer())?;
        for account in following {
            let (writable, signer) = (account.is_writable(), account.is_signer());
            accounts.push(CpiAccount { account: *account, writable, signer })?;
        }
        cpi::invoke(self.program.address(), &accounts, &data, signers)
    }
}

fn has_hook(mint: Account) -> Result<bool> {
    if mint.is_owned_by(&token::PROGRAM) {
        return Ok(false);
    }
    let data = mint.data()?;
    let mut hooks = token::extensions(&data).filter(|(kind, _)| *kind == Extension::TransferHook as u16);
    // The program's address follows the authority.
    Ok(hooks.any(|(_, body)| body.get(32..64).is_some_and(|id| id.iter().any(|byte| *byte != 0))))
}

/// Writes the memo if the token account requires one before a transfer to it.
#[inline(never)]
pub fn write_required_memo(account: Account, memo_program: Account, memo: &[u8]) -> Result {
    if account.is_owned_by(&token::PROGRAM) {
        return Ok(());
    }
    let data = account.data()?;
    let required = token::extensions(&data)
        .any(|(kind, body)| kind == MEMO_TRANSFER && body.first().is_some_and(|on| *on != 0));
    if required {
        cpi::invoke(memo_program.address(), &[], memo, &[])
    } else {
        Ok(())
    }
}

/// Returns the amount to send so that `net` arrives. Fails with MathOverflow beyond u64, and if the two roundings of
/// the fee disagree.
#[inline(never)]
pub fn with_fee(mint: Account, net: u64) -> Result<u64> {
    if net == 0 || mint.is_owned_by(&token::PROGRAM) {
        return Ok(net);
    }
    let Some(config) = TransferFeeConfig::find(&mint.data()?)? else {
        return Ok(net);
    };
    let terms = config.at(Clock::get()?.epoch);
    let fee = if terms.bps == WHOLE { Some(terms.maximum) } else { terms.fee_to_deliver(net) };
    let fee = fee.ok_or(MATH_OVERFLOW)?;
    let gross = net.checked_add(fee).ok_or(MATH_OVERFLOW)?;
    if terms.fee(gross) == Some(fee) {
        Ok(gross)
    } else {
        Err(MATH_OVERFLOW.into())
    }
}

/// Moves fees that were withheld in a token account to the mint, because Token-2022 closes no account that has some.
#[inline(never)]
pub fn harvest_fees(program: Account, account: Account, mint: Account) -> Result {
    if mint.is_owned_by(&token::PROGRAM) {
        return Ok(());
    }
    if !token::has_extension(&mint.data()?, Extension::TransferFeeConfig) {
        return Ok(());
    }
    cpi::invoke(program.address(), &[mint.writable(), account.writable()], &HARVEST, &[])
}
