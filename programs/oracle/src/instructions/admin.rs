//! The instructions of the program's administration.

use crate::error::{ADMIN_INVALID_PARAMS, ADMIN_MAX_AUTH_COUNT_REACHED, INVALID_PARAMS};
use crate::state::{Admin, ADMIN_SEED, PROGRAM};
use sluice_lending::GOVERNANCE;
use sluice_program::anchor::{self, decoded};
use sluice_program::bytes::Reader;
use sluice_program::layout::Layout;
use sluice_program::members::{self, Members, Refusals};
use sluice_program::{event, system, Account, Address, Result};

const AUTHS: [u8; 8] = anchor::event("LogUpdateAuths");
const AUTHORITY: [u8; 8] = anchor::event("LogUpdateAuthority");
const REFUSALS: Refusals = Refusals { invalid: ADMIN_INVALID_PARAMS, full: ADMIN_MAX_AUTH_COUNT_REACHED };

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

/// Arguments: addresses with whether each is an auth from now on. Signed by the authority, which stays an auth.
pub fn update_auths(accounts: &[Account], args: &[u8]) -> Result {
    let entries = decoded(members::entries(args))?;
    let (account, mut admin) = load(accounts)?;
    admin.auths.update(entries, &admin.authority, &REFUSALS)?;
    admin.store(account)?;
    members::log_update(&AUTHS, entries)
}

/// Argument: the new authority, which must be the governance of the public program. It replaces the signer.
pub fn update_authority(accounts: &[Account], args: &[u8]) -> Result {
    let authority = decoded(Reader::new(args).address())?;
    let (account, mut admin) = load(accounts)?;
    if authority != GOVERNANCE {
        return Err(INVALID_PARAMS.into());
    }
    admin.auths.set(&admin.authority, false)?;
    admin.auths.set(&authority, true).map_err(|_| ADMIN_MAX_AUTH_COUNT_REACHED)?;
    admin.authority = authority;
    admin.store(account)?;
    event::log(&AUTHORITY, |event| event.address(&authority))
}

/// Returns the admin account after checking that its authority signed.
fn load<'a>(accounts: &[Account<'a>]) -> Result<(Account<'a>, Admin)> {
    let (&[signer, account], _) = anchor::accounts(accounts)?;
    anchor::check_signer(signer, "authority")?;
    let admin = Admin::load(account)?;
    admin.check_authority(signer)?;
    anchor::check_writable(account, "oracle_admin")?;
    Ok((account, admin))
}
