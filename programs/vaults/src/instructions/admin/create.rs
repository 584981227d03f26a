//! The instruction `init_vault_admin`.

use crate::checks;
use crate::error::{ADMIN_ADDRESS_ZERO_NOT_ALLOWED, ADMIN_LIQUIDITY_PROGRAM_MISMATCH};
use crate::keys::ADMIN_SEED;
use crate::state::admin::Admin;
use sluice_lending::LIQUIDITY_PROGRAM;
use sluice_program::anchor::{self, decoded};
use sluice_program::bytes::Reader;
use sluice_program::layout::Layout;
use sluice_program::members::Members;
use sluice_program::{system, Account, Address, Result};

/// Creates the admin account. Arguments: liquidity program, authority. Any wallet may sign, but the account can be
/// created only once. The authority becomes an auth.
pub fn create(accounts: &[Account], args: &[u8]) -> Result {
    let mut from = Reader::new(args);
    let liquidity_program = decoded(from.address())?;
    let authority = decoded(from.address())?;
    let (&[signer, account, system_program], _) = anchor::accounts(accounts)?;
    anchor::check_signer(signer, "signer")?;
    anchor::check_program(system_program, &[system::PROGRAM], "system_program")?;
    let bump = checks::create(signer, account, &[ADMIN_SEED], Admin::SPACE, "vault_admin")?;
    checks::require(liquidity_program == LIQUIDITY_PROGRAM, ADMIN_LIQUIDITY_PROGRAM_MISMATCH)?;
    checks::require(authority != Address::ZERO, ADMIN_ADDRESS_ZERO_NOT_ALLOWED)?;
    let auths = Members::of(&authority)?;
    Admin { authority, liquidity_program, next_vault_id: 1, auths, bump }.store(account)
}
