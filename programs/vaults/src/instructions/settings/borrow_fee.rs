//! The instruction `update_borrow_fee`.

use super::Change;
use crate::instructions::vault_id;
use crate::state::config::Terms;
use sluice_program::anchor::{self, decoded};
use sluice_program::{event, Account, Result};

const BORROW_FEE: [u8; 8] = anchor::event("LogUpdateBorrowFee");

/// Arguments: the vault's id, the fee in 10,000ths. Signed by an auth.
pub fn borrow_fee(accounts: &[Account], args: &[u8]) -> Result {
    let (id, mut from) = vault_id(args)?;
    let fee = decoded(from.u8())?;
    let mut change = Change::load(accounts, id)?;
    let terms = Terms { borrow_fee: fee, ..change.config.terms };
    change.store(terms)?;
    event::log(&BORROW_FEE, |event| event.u8(fee))
}
