//! The instruction `create_permission_pda`.

use crate::checks;
use crate::error::INVALID_OWNER;
use crate::keys::{ADMIN, PERMISSION_SEED, PROGRAM};
use crate::state::{PERMISSION_LEN, PERMISSION_TAG};
use sluice_program::{anchor, bytes, system, Account, Address, Result};

/// Permits an account to create such pools. Signed by the admin.
pub fn create(accounts: &[Account]) -> Result {
    let (&[owner, authority, permission, system_program], _) = anchor::accounts(accounts)?;
    anchor::check_signer(owner, "owner")?;
    checks::system_program(system_program)?;
    let seeds: [&[u8]; 2] = [PERMISSION_SEED, &authority.address().0];
    let (expected, bump) = Address::find(&seeds, &PROGRAM)?;
    checks::derived(permission, &expected, "permission")?;
    system::Create { payer: owner, account: permission, space: PERMISSION_LEN, owner: &PROGRAM }
        .invoke(&[&[seeds[0], seeds[1], &[bump]]])?;
    anchor::check_writable(owner, "owner")?;
    checks::address_or(owner, &ADMIN, INVALID_OWNER, "owner")?;

    let mut data = permission.data_mut()?;
    bytes::put(&mut data, 0, &PERMISSION_TAG)?;
    bytes::put(&mut data, 8, &authority.address().0)
}
