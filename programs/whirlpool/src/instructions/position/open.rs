//! The instruction `open_position`.

use super::{begin, New};
use crate::error::TOKEN_EXTENSIONS_REQUIRED;
use crate::instructions::{check_new, check_system, create_derived};
use crate::keys::{POSITION_SEED, RENT_SYSVAR};
use crate::state::pool::{keeps_positions, Pool};
use crate::state::position::LEN;
use sluice_program::anchor::{self, decoded};
use sluice_program::bytes::Reader;
use sluice_program::token::{self, InitializeMint2, MintTo};
use sluice_program::{associated_token, cpi, system, Account, Result};

fn read_range(reader: &mut Reader) -> Option<[i32; 2]> {
    // The bump comes first and is ignored.
    reader.u8()?;
    Some([reader.u32()? as i32, reader.u32()? as i32])
}

/// Arguments: a bump, the lower and the upper tick. The position belongs to the holder of the only token that is
/// minted.
pub fn open(accounts: &[Account], args: &[u8]) -> Result {
    let range = decoded(read_range(&mut Reader::new(args)))?;
    let (given, _) = anchor::accounts::<10>(accounts)?;
    let &[funder, owner, position, mint, holding, pool_account, program, ref rest @ ..] = given;
    let &[system_program, rent, associated] = rest;
    anchor::check_signer(funder, "funder")?;
    let pool = Pool::load(pool_account, "whirlpool")?;
    anchor::check_program(program, &[token::PROGRAM], "token_program")?;
    check_system(system_program)?;
    if *rent.address() != RENT_SYSVAR {
        return Err(anchor::ACCOUNT_SYSVAR_MISMATCH.of("rent"));
    }
    anchor::check_program(associated, &[associated_token::PROGRAM], "associated_token_program")?;

    create_derived(funder, position, LEN, &[POSITION_SEED, &mint.address().0], "position")?;
    check_new(mint, funder)?;
    system::Create { payer: funder, account: mint, space: token::MINT_LEN, owner: &token::PROGRAM }
        .invoke(&[])?;
    InitializeMint2 { program, mint, decimals: 0, mint_authority: pool_account.address() }.invoke()?;
    associated_token::CreateIdempotent {
        payer: funder,
        account: holding,
        wallet: owner,
        mint,
        system_program,
        token_program: program,
    }
    .invoke()?;
    anchor::check_writable(funder, "funder")?;

    if keeps_positions(pool_account)? {
        return Err(TOKEN_EXTENSIONS_REQUIRED.into());
    }
    begin(&pool, &New { pool: pool_account, funder, position, mint }, range)?;
    mint_token(&pool, [program, mint, holding, pool_account])
}

/// Mints the token of the position, and removes the mint authority so that no other can be minted.
#[inline(never)]
fn mint_token(pool: &Pool, accounts: [Account; 4]) -> Result {
    let [program, mint, destination, authority] = accounts;
    pool.with_signer(|signers| MintTo { program, mint, destination, authority, amount: 1 }.invoke(signers))?;
    // SetAuthority of the token program removes the mint authority.
    const TO_NONE: [u8; 3] = [6, 0, 0];
    let accounts = [mint.writable(), authority.readonly_signer()];
    pool.with_signer(|signers| cpi::invoke(program.address(), &accounts, &TO_NONE, signers))
}
