//! The instruction that creates a protocol's positions.

use crate::checks;
use crate::keys::{BORROW_POSITION_SEED, PROGRAM, SUPPLY_POSITION_SEED};
use crate::refresh::now;
use sluice_lending::state::BorrowPosition;
use sluice_lending::state::SupplyPosition;
use sluice_program::anchor::{self, decoded};
use sluice_program::bytes::Reader;
use sluice_program::layout::Layout;
use sluice_program::{system, Account, Address, Result};

/// Arguments: the mint to supply, the mint to borrow, the protocol. Signed by an auth. The positions cannot be used
/// before they are configured.
pub fn run(accounts: &[Account], args: &[u8]) -> Result {
    let mut from = Reader::new(args);
    let supply_mint = decoded(from.address())?;
    let borrow_mint = decoded(from.address())?;
    let protocol = decoded(from.address())?;
    let (&[authority, auth_list, supply, borrow, system_program], _) = anchor::accounts(accounts)?;
    anchor::check_signer(authority, "authority")?;
    let open = |account, seed, mint: &Address, space, name| {
        anchor::CreateDerived {
            payer: authority,
            account,
            seeds: &[seed, &mint.0, &protocol.0],
            space,
            program: &PROGRAM,
            owner: &PROGRAM,
            name,
        }
        .invoke()
    };
    open(supply, SUPPLY_POSITION_SEED, &supply_mint, SupplyPosition::SPACE, "user_supply_position")?;
    open(borrow, BORROW_POSITION_SEED, &borrow_mint, BorrowPosition::SPACE, "user_borrow_position")?;
    anchor::check_program(system_program, &[system::PROGRAM], "system_program")?;
    checks::by_auth(authority, auth_list)?;

    let now = now()?;
    SupplyPosition::new(&protocol, &supply_mint, now).store(supply)?;
    BorrowPosition::new(&protocol, &borrow_mint, now).store(borrow)
}
