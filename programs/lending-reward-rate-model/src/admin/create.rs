//! The instruction `init_lending_rewards_admin`.

use super::{Admin, NAME};
use crate::error::{INVALID_LENDING_PROGRAM, INVALID_PARAMS};
use crate::PROGRAM;
use sluice_program::anchor::{self, decoded};
use sluice_program::bytes::Reader;
use sluice_program::layout::Layout;
use sluice_program::members::Members;
use sluice_program::{address, system, Account, Address, Result};

const SEED: &[u8] = b"lending_rewards_admin";
const LENDING_PROGRAM: Address = address!("jup3YeL8QhtSx1e253b2FDvsMNC87fDrgQZivbrndc9");

/// Creates the admin account. Arguments: authority, lending program. Any wallet may sign, but the account can be
/// created only once. The authority becomes an auth.
pub fn create(accounts: &[Account], args: &[u8]) -> Result {
    let mut from = Reader::new(args);
    let authority = decoded(from.address())?;
    let lending_program = decoded(from.address())?;
    let (&[signer, account, system_program], _) = anchor::accounts(accounts)?;
    anchor::check_signer(signer, "signer")?;
    let bump = anchor::CreateDerived {
        payer: signer,
        account,
        seeds: &[SEED],
        space: Admin::SPACE,
        program: &PROGRAM,
        owner: &PROGRAM,
        name: NAME,
    }
    .invoke()?;
    anchor::check_program(system_program, &[system::PROGRAM], "system_program")?;
    if authority == Address::ZERO {
        return Err(INVALID_PARAMS.into());
    }
    if lending_program != LENDING_PROGRAM {
        return Err(INVALID_LENDING_PROGRAM.into());
    }
    let auths = Members::of(&authority)?;
    Admin { authority, lending_program, auths, bump }.store(account)
}
