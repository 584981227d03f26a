//! The fields that this program reads from the oracle program's accounts.

use crate::keys::ORACLE_PROGRAM;
use crate::state::{self, undecoded, Kind};
use sluice_program::{anchor, bytes, Account, Result};

const KIND: Kind = Kind { program: ORACLE_PROGRAM, tag: anchor::account("Oracle"), len: 8 + 2 };

/// Returns the number that the oracle program's calls take. Fails unless the account is an oracle.
#[inline(never)]
pub fn nonce(account: Account, name: &str) -> Result<u16> {
    let data = state::load(account, &KIND, name)?;
    bytes::u16_at(&data, 8).ok_or_else(|| undecoded(name))
}
