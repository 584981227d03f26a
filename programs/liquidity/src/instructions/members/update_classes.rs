//! The instruction `update_user_class`.

use crate::checks;
use crate::state::auth_list::set_class;
use sluice_program::anchor::{self, decoded};
use sluice_program::bytes::Reader;
use sluice_program::members;
use sluice_program::{Account, Result};

const CLASSES: [u8; 8] = anchor::event("LogUpdateUserClass");

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
