//! The instruction `remove_liquidity`.

use super::{read_args, withdraw};
use sluice_program::anchor::decoded;
use sluice_program::bytes::Reader;
use sluice_program::{Account, Result};

/// Arguments: the liquidity, the minimum of token A and of token B.
pub fn remove(accounts: &[Account], args: &[u8]) -> Result {
    let args = decoded(read_args(&mut Reader::new(args)))?;
    withdraw(accounts, &args)
}
