//! The instructions that change the lists of the administration.

mod update_auths;
mod update_classes;
mod update_guardians;

pub use update_auths::update_auths;
pub use update_classes::update_classes;
pub use update_guardians::update_guardians;

use crate::checks;
use crate::error::{INVALID_PARAMS, MAX_AUTH_COUNT_REACHED};
use crate::state::auth_list::AuthList;
use sluice_program::anchor::{self, decoded};
use sluice_program::members::{self, Members, Refusals};
use sluice_program::{Account, Result};

const REFUSALS: Refusals = Refusals { invalid: INVALID_PARAMS, full: MAX_AUTH_COUNT_REACHED };

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
