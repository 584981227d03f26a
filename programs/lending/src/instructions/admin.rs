//! The instructions of the program's administration.

use crate::error::{INVALID_PARAMS, MAX_AUTH_COUNT_REACHED};
use crate::keys::{ADMIN_SEED, PROGRAM};
use crate::state::admin::Admin;
use sluice_program::anchor::{self, decoded};
use sluice_program::bytes::Reader;
use sluice_program::layout::Layout;
use sluice_program::members::{self, Members, Refusals};
use sluice_program::{event, system, Account, Address, Result};

const AUTHS: [u8; 8] = anchor::event("LogUpdateAuths");
const REBALANCER: [u8; 8] = anchor::event("LogUpdateRebalancer");
const REFUSALS: Refusals = Refusals { invalid: INVALID_PARAMS, full: MAX_AUTH_COUNT_REACHED };

/// Creates the admin account. Arguments: liquidity program, rebalancer, authority. Any wallet may sign, but the
/// account can be created only once. The authority becomes an auth.
pub fn create(accounts: &[Account], args: &[u8]) -> Result {
    let mut from = Reader::new(args);
    let liquidity_program = decoded(from.address())?;
    let rebalancer = decoded(from.address())?;
    let authority = decoded(from.address())?;
    let (&[signer, account, system_program], _) = anchor::accounts(accounts)?;
    anchor::check_signer(signer, "authority")?;
    let bump = anchor::CreateDerived {
        payer: signer,
        account,
        seeds: &[ADMIN_SEED],
        space: Admin::SPACE,
        program: &PROGRAM,
        owner: &PROGRAM,
        name: "lending_admin",
    }
    .invoke()?;
    anchor::check_program(system_program, &[system::PROGRAM], "system_program")?;
    if [authority, rebalancer, liquidity_program].contains(&Address::ZERO) {
        return Err(INVALID_PARAMS.into());
    }
    let auths = Members::of(&authority)?;
    Admin { authority, liquidity_program, rebalancer, next_lending_id: 1, auths, bump }.store(account)
}

/// Argument: the new authority. It is always refused: the public program accepted none that was tried.
pub fn update_authority(accounts: &[Account], args: &[u8]) -> Result {
    decoded(Reader::new(args).address())?;
    let (signer, _, admin) = load(accounts)?;
    admin.check_authority(signer)?;
    Err(INVALID_PARAMS.into())
}

/// Arguments: addresses with whether each is an auth from now on. Signed by the authority, which stays an auth.
pub fn update_auths(accounts: &[Account], args: &[u8]) -> Result {
    let entries = decoded(members::entries(args))?;
    let (signer, account, mut admin) = load(accounts)?;
    admin.check_authority(signer)?;
    admin.auths.update(entries, &admin.authority, &REFUSALS)?;
    admin.store(account)?;
    members::log_update(&AUTHS, entries)
}

/// Argument: the new rebalancer. Signed by an auth.
pub fn update_rebalancer(accounts: &[Account], args: &[u8]) -> Result {
    let rebalancer = decoded(Reader::new(args).address())?;
    let (signer, account, mut admin) = load(accounts)?;
    admin.check_auth(signer)?;
    if rebalancer == Address::ZERO {
        return Err(INVALID_PARAMS.into());
    }
    admin.rebalancer = rebalancer;
    admin.store(account)?;
    event::log(&REBALANCER, |event| event.address(&rebalancer))
}

fn load<'a>(accounts: &[Account<'a>]) -> Result<(Account<'a>, Account<'a>, Admin)> {
    let (&[signer, account], _) = anchor::accounts(accounts)?;
    anchor::check_signer(signer, "signer")?;
    let admin = Admin::load(account)?;
    anchor::check_writable(account, "lending_admin")?;
    Ok((signer, account, admin))
}
