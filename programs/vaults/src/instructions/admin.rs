//! The instructions of the program's administration.

use crate::checks;
use crate::error::{
    ADMIN_ADDRESS_ZERO_NOT_ALLOWED, ADMIN_INVALID_PARAMS, ADMIN_LIQUIDITY_PROGRAM_MISMATCH,
    ADMIN_MAX_AUTH_COUNT_REACHED,
};
use crate::keys::ADMIN_SEED;
use crate::state::admin::Admin;
use sluice_lending::LIQUIDITY_PROGRAM;
use sluice_program::anchor::{self, decoded};
use sluice_program::bytes::Reader;
use sluice_program::layout::Layout;
use sluice_program::members::{self, Members, Refusals};
use sluice_program::{system, Account, Address, Result};

const AUTHS: [u8; 8] = anchor::event("LogUpdateAuths");
const REFUSALS: Refusals = Refusals { invalid: ADMIN_INVALID_PARAMS, full: ADMIN_MAX_AUTH_COUNT_REACHED };

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

/// Argument: the new authority. It is always refused: the public program accepts only its own governance.
pub fn update_authority(accounts: &[Account], args: &[u8]) -> Result {
    decoded(Reader::new(args).address())?;
    load(accounts)?;
    Err(ADMIN_INVALID_PARAMS.into())
}

/// Arguments: addresses with whether each is an auth from now on. Signed by the authority, which stays an auth.
pub fn update_auths(accounts: &[Account], args: &[u8]) -> Result {
    let entries = decoded(members::entries(args))?;
    let (account, mut admin) = load(accounts)?;
    admin.auths.update(entries, &admin.authority, &REFUSALS)?;
    admin.store(account)?;
    members::log_update(&AUTHS, entries)
}

/// Returns the admin account after checking that its authority signed.
fn load<'a>(accounts: &[Account<'a>]) -> Result<(Account<'a>, Admin)> {
    let (&[signer, account], _) = anchor::accounts(accounts)?;
    let admin = Admin::load(account)?;
    admin.check_authority(signer)?;
    anchor::check_writable(account, "vault_admin")?;
    Ok((account, admin))
}
