//! The instruction `open_position_with_token_extensions`.

use crate::instructions::position::{begin, New};
use crate::instructions::{check_system, create_derived};
use crate::keys::{METADATA_AUTHORITY, POSITION_SEED};
use crate::position_mint::{self, PositionMint};
use crate::state::pool::{keeps_positions, Pool};
use crate::state::position::LEN;
use sluice_program::anchor::{self, decoded};
use sluice_program::bytes::Reader;
use sluice_program::token::PROGRAM_2022;
use sluice_program::{associated_token, Account, Result};

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
