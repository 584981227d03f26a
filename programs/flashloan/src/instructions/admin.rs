//! The instructions of the administration.

use crate::error::{FEE_TOO_HIGH, INVALID_PARAMS};
use crate::state::{Admin, ADMIN_SEED, PROGRAM};
use sluice_lending::{GOVERNANCE, LIQUIDITY_PROGRAM};
use sluice_program::anchor::{self, decoded};
use sluice_program::bytes::Reader;
use sluice_program::layout::Layout;
use sluice_program::{event, log, system, Account, Address, Result};

/// Half a percent.
const MAX_FEE: u16 = 50;

const ACTIVATED: [u8; 8] = anchor::event("ActivateProtocol");
const PAUSED: [u8; 8] = anchor::event("PauseProtocol");
const FEE: [u8; 8] = anchor::event("SetFlashloanFee");
const AUTHORITY: [u8; 8] = anchor::event("LogUpdateAuthority");

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

/// Starts or stops granting loans. Signed by the authority.
pub fn set_status(accounts: &[Account], status: bool) -> Result {
    let (account, mut admin) = load(accounts)?;
    if admin.status == status {
        return Err(INVALID_PARAMS.into());
    }
    admin.status = status;
    admin.store(account)?;
    log::data(&[if status { &ACTIVATED } else { &PAUSED }]);
    Ok(())
}

/// Argument: the fee in hundredths of a percent. Signed by the authority.
pub fn set_fee(accounts: &[Account], args: &[u8]) -> Result {
    let fee = decoded(Reader::new(args).u16())?;
    let (account, mut admin) = load(accounts)?;
    if fee > MAX_FEE {
        return Err(FEE_TOO_HIGH.into());
    }
    admin.fee = fee;
    admin.store(account)?;
    event::log(&FEE, |event| event.u16(fee))
}

/// Argument: the new authority, which must be the governance of the public program.
pub fn update_authority(accounts: &[Account], args: &[u8]) -> Result {
    let authority = decoded(Reader::new(args).address())?;
    let (account, mut admin) = load(accounts)?;
    if authority != GOVERNANCE {
        return Err(INVALID_PARAMS.into());
    }
    admin.authority = authority;
    admin.store(account)?;
    event::log(&AUTHORITY, |event| event.address(&authority))
}

/// Returns the admin account after checking that its authority signed.
fn load<'a>(accounts: &[Account<'a>]) -> Result<(Account<'a>, Admin)> {
    let (&[signer, account], _) = anchor::accounts(accounts)?;
    anchor::check_signer(signer, "authority")?;
    let admin = Admin::load(account)?;
    admin.check_authority(signer)?;
    anchor::check_writable(account, "flashloan_admin")?;
    Ok((account, admin))
}
