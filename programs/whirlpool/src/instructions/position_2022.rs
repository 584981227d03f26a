//! Positions whose token is one of Token-2022. The position itself may freeze and close the token, which may have
//! metadata.

use super::position::{begin, burn, check_authority, erase, New};
use super::{check_system, create_derived};
use crate::error::{CLOSE_POSITION_NOT_EMPTY, CONSTRAINT_CLOSE, LOCKED_POSITION};
use crate::keys::{METADATA_AUTHORITY, POSITION_SEED, PROGRAM};
use crate::position_mint::{self, PositionMint};
use crate::state::pool::{keeps_positions, Pool};
use crate::state::position::{Position, LEN};
use sluice_program::anchor::{self, decoded};
use sluice_program::bytes::Reader;
use sluice_program::cpi::Signers;
use sluice_program::token::{CloseAccount, Mint, TokenAccount, PROGRAMS, PROGRAM_2022};
use sluice_program::{associated_token, Account, Address, Result};

struct Args {
    range: [i32; 2],
    with_metadata: bool,
}

fn read_args(reader: &mut Reader) -> Option<Args> {
    let range = [reader.u32()? as i32, reader.u32()? as i32];
    Some(Args { range, with_metadata: reader.bool()? })
}

/// Arguments: the lower and the upper tick, and whether the token has metadata.
pub fn open(accounts: &[Account], args: &[u8]) -> Result {
    let Args { range, with_metadata } = decoded(read_args(&mut Reader::new(args)))?;
    let (given, _) = anchor::accounts::<10>(accounts)?;
    let &[funder, owner, position, mint, holding, pool_account, program, ref rest @ ..] = given;
    let &[system_program, associated, metadata_authority] = rest;
    anchor::check_signer(funder, "funder")?;
    anchor::check_signer(mint, "position_mint")?;
    let pool = Pool::load(pool_account, "whirlpool")?;
    anchor::check_program(program, &[PROGRAM_2022], "token_2022_program")?;
    check_system(system_program)?;
    anchor::check_program(associated, &[associated_token::PROGRAM], "associated_token_program")?;

    let bump = create_derived(funder, position, LEN, &[POSITION_SEED, &mint.address().0], "position")?;
    anchor::check_writable(funder, "funder")?;
    anchor::check_writable(mint, "position_mint")?;
    anchor::check_writable(holding, "position_token_account")?;
    anchor::check_address(metadata_authority, &METADATA_AUTHORITY, "metadata_update_auth")?;

    begin(&pool, &New { pool: pool_account, funder, position, mint }, range)?;
    let soulbound = keeps_positions(pool_account)?;
    let token = PositionMint { program, mint, funder, position, bump, with_metadata, soulbound };
    position_mint::create(&token)?;
    if with_metadata {
        position_mint::describe(&token, metadata_authority)?;
    }
    let payer = funder;
    let (account, wallet, token_program) = (holding, owner, program);
    associated_token::CreateIdempotent { payer, account, wallet, mint, system_program, token_program }
        .invoke()?;
    position_mint::mint_only_one(&token, holding)
}

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
    erase(position, receiver)
}
