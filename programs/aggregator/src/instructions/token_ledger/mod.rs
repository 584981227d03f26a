//! Token ledgers. A ledger records a balance, so that a later instruction of the transaction can spend what arrived
//! since.

mod create;
mod set;

pub use create::create;
pub use set::set;

use crate::error::{INVALID_TOKEN_LEDGER, LEDGER_TOKEN_ACCOUNT_DOES_NOT_MATCH};
use crate::keys::PROGRAM;
use crate::token::amount_of;
use sluice_program::anchor;
use sluice_program::{bytes::Reader, Account, Address, Result};

/// Discriminator, token account, amount u64.
const LEN: usize = 48;
const DISCRIMINATOR: [u8; 8] = anchor::account("TokenLedger");

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
