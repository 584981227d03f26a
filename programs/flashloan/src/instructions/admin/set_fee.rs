//! The instruction `set_flashloan_fee`.

use super::{load, MAX_FEE};
use crate::error::FEE_TOO_HIGH;
use sluice_program::anchor::{self, decoded};
use sluice_program::bytes::Reader;
use sluice_program::{event, Account, Result};

const FEE: [u8; 8] = anchor::event("SetFlashloanFee");

/// Argument: the fee in hundredths of a percent. Signed by the authority.
pub fn set_fee(accounts: &[Account], args: &[u8]) -> Result {
    let fee = decoded(Reader::new(args).u16())?;
    let (account, mut admin) = load(accounts)?;
    if fee > MAX_FEE {
        return Err(FEE_TOO_HIGH.into());
    }
    admin.fee = fee;
    admin.store(account)?;
    event::log(&FEE, |event| event.u16(fee))
}
