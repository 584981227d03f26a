//! Sends the balances of program authorities to the fee wallet. Any wallet may call it.

mod lamports;
mod tokens;

pub use lamports::lamports;
pub use tokens::tokens;

use crate::error::INVALID_FEE_WALLET;
use crate::keys::FEE_WALLET;
use sluice_program::{Account, Result};

fn check_wallet(wallet: Account) -> Result {
    if *wallet.address() == FEE_WALLET {
        Ok(())
    } else {
        Err(INVALID_FEE_WALLET.into())
    }
}
