//! The instruction `close_claim_account`.

use crate::checks;
use crate::error::AMOUNT_NOT_ZERO;
use crate::state::claim::Claim;
use sluice_program::anchor::{self, decoded};
use sluice_program::bytes::Reader;
use sluice_program::{system, Account, Result};

/// Closes an empty claim. Argument: the mint. Signed by the user, who receives the lamports.
pub fn close(accounts: &[Account], args: &[u8]) -> Result {
    decoded(Reader::new(args).address())?;
    let (&[user, account, system_program], _) = anchor::accounts(accounts)?;
    anchor::check_signer(user, "user")?;
    let state = Claim::load(account, "claim_account")?;
    anchor::check_program(system_program, &[system::PROGRAM], "system_program")?;
    anchor::check_writable(user, "user")?;
    anchor::check_writable(account, "claim_account")?;
    checks::has_one(&state.user, user, "claim_account")?;
    if state.amount != 0 {
        return Err(AMOUNT_NOT_ZERO.of("claim_account"));
    }
    account.close(user)
}
