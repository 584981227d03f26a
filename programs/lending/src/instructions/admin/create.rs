//! The instruction `init_lending_admin`.

use crate::error::INVALID_PARAMS;
use crate::keys::{ADMIN_SEED, PROGRAM};
use crate::state::admin::Admin;
use sluice_program::anchor::{self, decoded};
use sluice_program::bytes::Reader;
use sluice_program::layout::Layout;
use sluice_program::members::Members;
use sluice_program::{system, Account, Address, Result};

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
