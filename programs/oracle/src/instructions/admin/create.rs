//! The instruction `init_admin`.

use crate::error::INVALID_PARAMS;
use crate::state::{Admin, ADMIN_SEED, PROGRAM};
use sluice_program::anchor::{self, decoded};
use sluice_program::bytes::Reader;
use sluice_program::layout::Layout;
use sluice_program::members::Members;
use sluice_program::{system, Account, Address, Result};

/// Creates the admin account. Argument: the authority, which becomes an auth. Any wallet may sign, but the account
/// can be created only once.
pub fn create(accounts: &[Account], args: &[u8]) -> Result {
    let authority = decoded(Reader::new(args).address())?;
    let (&[signer, account, system_program], _) = anchor::accounts(accounts)?;
    anchor::check_signer(signer, "signer")?;
    anchor::check_program(system_program, &[system::PROGRAM], "system_program")?;
    anchor::CreateDerived {
        payer: signer,
        account,
        seeds: &[ADMIN_SEED],
        space: Admin::SPACE,
        program: &PROGRAM,
        owner: &PROGRAM,
        name: "oracle_admin",
    }
    .invoke()?;
    if authority == Address::ZERO {
        return Err(INVALID_PARAMS.into());
    }
    Admin { authority, auths: Members::of(&authority)? }.store(account)
}
