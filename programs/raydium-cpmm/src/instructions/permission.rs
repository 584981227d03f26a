//! The permission to create pools whose creator earns fees.

use crate::checks;
use crate::error::INVALID_OWNER;
use crate::keys::{ADMIN, PERMISSION_SEED, PROGRAM};
use crate::state::{PERMISSION_LEN, PERMISSION_TAG};
use sluice_program::{anchor, bytes, memory, system, Account, Address, Result};

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

    owner.set_lamports(owner.lamports() + permission.lamports());
    permission.set_lamports(0);
    memory::fill(&mut permission.data_mut()?, 0);
    Ok(())
}

/// Checks that the account has a permission's owner, discriminator and length.
pub fn check(permission: Account) -> Result {
    let data = anchor::load(permission, &PROGRAM, &PERMISSION_TAG, "permission")?;
    if data.len() < PERMISSION_LEN {
        Err(anchor::ACCOUNT_DID_NOT_DESERIALIZE.of("permission"))
    } else {
        Ok(())
    }
}
