//! The instruction `set_token_ledger`.

use super::{DISCRIMINATOR, LEN};
use crate::instructions::fixed;
use crate::keys::PROGRAM;
use crate::token::amount_of;
use sluice_program::anchor::{
    ACCOUNT_DID_NOT_DESERIALIZE, ACCOUNT_DISCRIMINATOR_MISMATCH, ACCOUNT_DISCRIMINATOR_NOT_FOUND,
};
use sluice_program::bytes;
use sluice_program::token::PROGRAMS;
use sluice_program::{Account, ProgramError, Result};

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
