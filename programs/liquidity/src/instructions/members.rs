//! The instructions that change the lists of the administration.

use crate::checks;
use crate::error::{INVALID_PARAMS, MAX_AUTH_COUNT_REACHED};
use crate::state::auth_list::{set_class, AuthList};
use sluice_program::anchor::{self, decoded};
use sluice_program::bytes::Reader;
use sluice_program::members::{self, Members, Refusals};
use sluice_program::{Account, Result};

const AUTHS: [u8; 8] = anchor::event("LogUpdateAuths");
const GUARDIANS: [u8; 8] = anchor::event("LogUpdateGuardians");
const CLASSES: [u8; 8] = anchor::event("LogUpdateUserClass");
const REFUSALS: Refusals = Refusals { invalid: INVALID_PARAMS, full: MAX_AUTH_COUNT_REACHED };

/// Arguments: addresses with whether each is an auth from now on. Signed by the authority, which stays an auth.
pub fn update_auths(accounts: &[Account], args: &[u8]) -> Result {
    update(accounts, args, &AUTHS, |lists| &mut lists.auths)
}

/// Arguments: addresses with whether each is a guardian from now on. Signed by the authority, which stays a guardian.
pub fn update_guardians(accounts: &[Account], args: &[u8]) -> Result {
    update(accounts, args, &GUARDIANS, |lists| &mut lists.guardians)
}

#[inline(always)]
fn update(
    accounts: &[Account],
    args: &[u8],
    tag: &[u8; 8],
    list: impl Fn(&mut AuthList) -> &mut Members<10>,
) -> Result {
    let entries = decoded(members::entries(args))?;
    let (&[authority, liquidity, auth_list], _) = anchor::accounts(accounts)?;
    let state = checks::by_authority(authority, liquidity)?;
    anchor::check_writable(auth_list, "auth_list")?;
    let mut lists = AuthList::load(auth_list)?;
    list(&mut lists).update(entries, &state.authority, &REFUSALS)?;
    lists.store(auth_list)?;
    members::log_update(tag, entries)
}

/// Arguments: protocols and their classes. Guardians can pause a protocol of class 0, but not one of class 1. Signed
/// by an auth.
pub fn update_classes(accounts: &[Account], args: &[u8]) -> Result {
    let entries = decoded(members::entries(args))?;
    let (&[authority, auth_list], _) = anchor::accounts(accounts)?;
    let mut lists = checks::by_auth(authority, auth_list)?;
    anchor::check_writable(auth_list, "auth_list")?;
    for entry in entries.chunks_exact(members::ENTRY) {
        let mut from = Reader::new(entry);
        let user = decoded(from.address())?;
        set_class(&mut lists.classes, &user, decoded(from.u8())?)?;
    }
    lists.store(auth_list)?;
    members::log_update(&CLASSES, entries)
}
