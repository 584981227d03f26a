//! The instruction `init_flashloan_admin`.

use super::MAX_FEE;
use crate::error::{FEE_TOO_HIGH, INVALID_PARAMS};
use crate::state::{Admin, ADMIN_SEED, PROGRAM};
use sluice_lending::LIQUIDITY_PROGRAM;
use sluice_program::anchor::{self, decoded};
use sluice_program::bytes::Reader;
use sluice_program::layout::Layout;
use sluice_program::{system, Account, Address, Result};

/// Creates the admin account. Arguments: authority, fee, liquidity program. Any wallet may sign, but the account can
/// be created only once.
pub fn create(accounts: &[Account], args: &[u8]) -> Result {
    let mut from = Reader::new(args);
    let authority = decoded(from.address())?;
    let fee = decoded(from.u16())?;
    let liquidity_program = decoded(from.address())?;
    let (&[signer, account, system_program], _) = anchor::accounts(accounts)?;
    anchor::check_signer(signer, "signer")?;
    anchor::check_program(system_program, &[system::PROGRAM], "system_program")?;
    let bump = anchor::CreateDerived {
        payer: signer,
        account,
        seeds: &[ADMIN_SEED],
        space: Admin::SPACE,
        program: &PROGRAM,
        owner: &PROGRAM,
        name: "flashloan_admin",
    }
    .invoke()?;
    if fee > MAX_FEE {
        return Err(FEE_TOO_HIGH.into());
    }
    if authority == Address::ZERO || liquidity_program != LIQUIDITY_PROGRAM {
        return Err(INVALID_PARAMS.into());
    }
    let admin = Admin {
        authority,
        liquidity_program,
        status: true,
        fee,
        timestamp: 0,
        is_active: false,
        active_amount: 0,
        bump,
    };
    admin.store(account)
}
