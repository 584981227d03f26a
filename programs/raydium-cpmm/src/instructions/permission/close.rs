//! The instruction `close_permission_pda`.

use super::check;
use crate::checks;
use crate::error::INVALID_OWNER;
use crate::keys::{ADMIN, PERMISSION_SEED, PROGRAM};
use sluice_program::{anchor, Account, Address, Result};

/// Removes the permission. Its lamports go to the admin, who signs.
pub fn close(accounts: &[Account]) -> Result {
    let (&[owner, authority, permission, system_program], _) = anchor::accounts(accounts)?;
    anchor::check_signer(owner, "owner")?;
    check(permission)?;
    checks::system_program(system_program)?;
    anchor::check_writable(owner, "owner")?;
    checks::address_or(owner, &ADMIN, INVALID_OWNER, "owner")?;
    let (expected, _) = Address::find(&[PERMISSION_SEED, &authority.address().0], &PROGRAM)?;
    checks::derived(permission, &expected, "permission")?;
    anchor::check_writable(permission, "permission")?;

    permission.close(owner)
}
