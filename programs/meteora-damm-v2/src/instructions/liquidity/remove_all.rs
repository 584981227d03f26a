//! The instruction `remove_all_liquidity`.

use super::{withdraw, Args};
use sluice_program::anchor::decoded;
use sluice_program::bytes::Reader;
use sluice_program::{Account, Result};

/// Arguments: the minimum of token A and of token B.
pub fn remove_all(accounts: &[Account], args: &[u8]) -> Result {
    let reader = &mut Reader::new(args);
    let limits = decoded(reader.u64().zip(reader.u64()))?;
    withdraw(accounts, &Args { liquidity: None, limits: [limits.0, limits.1] })
}
