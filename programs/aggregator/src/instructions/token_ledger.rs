//! Token ledgers. A ledger records a balance, so that a later instruction of the transaction can spend what arrived
//! since.

use super::fixed;
use crate::error::{INVALID_TOKEN_LEDGER, LEDGER_TOKEN_ACCOUNT_DOES_NOT_MATCH};
use crate::keys::PROGRAM;
use crate::token::amount_of;
use sluice_program::anchor::{
    self, ACCOUNT_DID_NOT_DESERIALIZE, ACCOUNT_DISCRIMINATOR_MISMATCH, ACCOUNT_DISCRIMINATOR_NOT_FOUND,
};
use sluice_program::bytes::{self, Writer};
use sluice_program::cpi;
use sluice_program::sysvar::Rent;
use sluice_program::token::PROGRAMS;
use sluice_program::{bytes::Reader, system, Account, Address, ProgramError, Result};

/// Discriminator, token account, amount u64.
const LEN: usize = 48;
const DISCRIMINATOR: [u8; 8] = anchor::account("TokenLedger");

/// Creates an empty ledger at an address that signs. An address that already holds lamports is refused.
pub fn create(accounts: &[Account], _: &[u8]) -> Result {
    let (&[ledger, payer, _system_program], _) = fixed::<3>(accounts)?;
    let mut data = [0; 52];
    let mut writer = Writer::new(&mut data);
    writer.u32(0)?;
    writer.u64(Rent::get()?.minimum_balance(LEN))?;
    writer.u64(LEN as u64)?;
    writer.address(&PROGRAM)?;
    cpi::invoke(&system::PROGRAM, &[payer.writable_signer(), ledger.writable_signer()], &data, &[])?;
    bytes::put(&mut ledger.data_mut()?, 0, &DISCRIMINATOR)
}

/// Records a token account and its present balance.
///
/// Fails with IllegalOwner if another program owns the token account, with the errors of Anchor's account checks if
/// the ledger is none, and with InvalidTokenAccount.
pub fn set(accounts: &[Account], _: &[u8]) -> Result {
    let (&[ledger, token_account], _) = fixed::<2>(accounts)?;
    if !ledger.is_owned_by(&PROGRAM) {
        return Err(ProgramError::ILLEGAL_OWNER);
    }
    check_layout(&ledger.data()?)?;
    if !PROGRAMS.contains(&token_account.owner()) {
        return Err(ProgramError::ILLEGAL_OWNER);
    }
    let amount = amount_of(token_account)?;
    let mut data = ledger.data_mut()?;
    bytes::put(&mut data, 8, &token_account.address().0)?;
    bytes::put(&mut data, 40, &amount.to_le_bytes())
}

fn check_layout(data: &[u8]) -> Result {
    match data.first_chunk::<8>() {
        None => Err(ACCOUNT_DISCRIMINATOR_NOT_FOUND.of("token_ledger")),
        Some(found) if *found != DISCRIMINATOR => Err(ACCOUNT_DISCRIMINATOR_MISMATCH.of("token_ledger")),
        Some(_) if data.len() < LEN => Err(ACCOUNT_DID_NOT_DESERIALIZE.of("token_ledger")),
        Some(_) => Ok(()),
    }
}

/// Returns the amount that arrived in `source` since the ledger was set.
///
/// Fails with InvalidTokenLedger if `ledger` is none or `source` holds less than recorded, and with
/// LedgerTokenAccountDoesNotMatch if it was set for another account.
pub fn arrived(ledger: Account, source: Account) -> Result<u64> {
    let (token_account, noted) = read(ledger)?.ok_or(INVALID_TOKEN_LEDGER)?;
    if token_account != *source.address() {
        return Err(LEDGER_TOKEN_ACCOUNT_DOES_NOT_MATCH.into());
    }
    amount_of(source)?.checked_sub(noted).ok_or_else(|| INVALID_TOKEN_LEDGER.into())
}

fn read(ledger: Account) -> Result<Option<(Address, u64)>> {
    if !ledger.is_owned_by(&PROGRAM) {
        return Ok(None);
    }
    let data = ledger.data()?;
    let mut reader = Reader::new(&data);
    if reader.array() != Some(&DISCRIMINATOR) {
        return Ok(None);
    }
    Ok(reader.address().zip(reader.u64()))
}
