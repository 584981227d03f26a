//! The instruction `init_claim_account`.

use crate::keys::{CLAIM_SEED, PROGRAM};
use crate::state::claim::Claim;
use sluice_program::anchor::{self, decoded};
use sluice_program::bytes::Reader;
use sluice_program::layout::Layout;
use sluice_program::{system, Account, Result};

/// Creates the account of a claim. Arguments: mint, user. Any wallet may create one for any user.
pub fn create(accounts: &[Account], args: &[u8]) -> Result {
    let mut from = Reader::new(args);
    let mint = decoded(from.address())?;
    let user = decoded(from.address())?;
    let (&[signer, account, system_program], _) = anchor::accounts(accounts)?;
    anchor::check_signer(signer, "signer")?;
    anchor::CreateDerived {
        payer: signer,
        account,
        seeds: &[CLAIM_SEED, &user.0, &mint.0],
        space: Claim::SPACE,
        program: &PROGRAM,
        owner: &PROGRAM,
        name: "claim_account",
    }
    .invoke()?;
    anchor::check_program(system_program, &[system::PROGRAM], "system_program")?;
    Claim { user, amount: 0, mint }.store(account)
}
