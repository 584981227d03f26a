//! The instruction `close_position_with_token_extensions`.

use crate::error::{CLOSE_POSITION_NOT_EMPTY, CONSTRAINT_CLOSE, LOCKED_POSITION};
use crate::instructions::position::{burn, check_authority};
use crate::keys::{POSITION_SEED, PROGRAM};
use crate::state::position::Position;
use sluice_program::anchor;
use sluice_program::cpi::Signers;
use sluice_program::token::{CloseAccount, Mint, TokenAccount, PROGRAMS, PROGRAM_2022};
use sluice_program::{Account, Address, Result};

/// Burns the token of an empty position, closes its mint, and pays all rent to the receiver.
pub fn close(accounts: &[Account], _: &[u8]) -> Result {
    let (&[authority, receiver, position, mint, holding, program], _) = anchor::accounts(accounts)?;
    anchor::check_signer(authority, "position_authority")?;
    let state = Position::load(position, "position")?;
    anchor::check_owner(mint, &PROGRAMS, "position_mint")?;
    Mint::load(mint, "position_mint")?;
    anchor::check_owner(holding, &PROGRAMS, "position_token_account")?;
    let held = TokenAccount::load(holding, "position_token_account")?;
    anchor::check_program(program, &[PROGRAM_2022], "token_2022_program")?;

    anchor::check_writable(receiver, "receiver")?;
    let (expected, bump) = Address::find(&[POSITION_SEED, &mint.address().0], &PROGRAM)?;
    if *position.address() != expected {
        return Err(anchor::CONSTRAINT_SEEDS.of("position"));
    }
    anchor::check_writable(position, "position")?;
    if position.is(receiver) {
        return Err(CONSTRAINT_CLOSE.of("position"));
    }
    anchor::check_writable(mint, "position_mint")?;
    anchor::check_address(mint, &state.mint, "position_mint")?;
    if !mint.is_owned_by(&PROGRAM_2022) {
        return Err(anchor::CONSTRAINT_OWNER.of("position_mint"));
    }
    anchor::check_writable(holding, "position_token_account")?;
    if held.amount != 1 || held.mint != state.mint {
        return Err(anchor::CONSTRAINT_RAW.of("position_token_account"));
    }
    check_authority(holding, authority)?;
    if held.frozen {
        return Err(LOCKED_POSITION.into());
    }
    if !state.is_empty() {
        return Err(CLOSE_POSITION_NOT_EMPTY.into());
    }
    burn(program, holding, mint, authority)?;
    CloseAccount { program, account: holding, destination: receiver, authority }.invoke(&[])?;
    let signers: Signers = &[&[POSITION_SEED, &mint.address().0, &[bump]]];
    CloseAccount { program, account: mint, destination: receiver, authority: position }.invoke(signers)?;
    position.close(receiver)
}
