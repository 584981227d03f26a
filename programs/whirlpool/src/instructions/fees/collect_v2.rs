//! The instruction `collect_fees_v2`.

use super::{check_position, taken};
use crate::instructions::position::check_authority;
use crate::instructions::{check_holding, check_vault, mint_of, slices};
use crate::keys::MEMO_PROGRAM;
use crate::state::pool::Pool;
use crate::state::position::Position;
use crate::token::{Payer, Side};
use sluice_program::anchor::{self, decoded};
use sluice_program::bytes::Reader;
use sluice_program::token::{Mint, TokenAccount, PROGRAMS};
use sluice_program::{Account, Result};

const MEMO: &str = "Orca CollectFees";

/// Does the same as [`collect`] for mints of both token programs. Argument: slices.
pub fn collect_v2(accounts: &[Account], args: &[u8]) -> Result {
    let slices = decoded(slices::read(&mut Reader::new(args)))?;
    let (given, rest) = anchor::accounts::<13>(accounts)?;
    let (pool, mut position, sides) = check_v2(given)?;
    slices::check_hooks(slices, rest, slices::Hooks::Pool)?;
    let amounts = taken(&mut position, given[2])?;
    let payer = Payer { pool: &pool, account: given[0] };
    for (side, amount) in sides.iter().zip(amounts) {
        side.pay_out(&payer, amount, MEMO)?;
    }
    Ok(())
}

#[inline(never)]
fn check_v2<'a>(given: &[Account<'a>; 13]) -> Result<(Pool, Position, [Side<'a>; 2])> {
    let [pool_account, authority, position_account, holding, mint_a, mint_b, rest @ ..] = *given;
    let [owner_a, vault_a, owner_b, vault_b, program_a, program_b, memo] = rest;
    let pool = Pool::load(pool_account, "whirlpool")?;
    anchor::check_signer(authority, "position_authority")?;
    let position = Position::load(position_account, "position")?;
    anchor::check_owner(holding, &PROGRAMS, "position_token_account")?;
    let held = TokenAccount::load(holding, "position_token_account")?;
    let decimals_a = Mint::load(mint_a, "token_mint_a")?.decimals;
    let decimals_b = Mint::load(mint_b, "token_mint_b")?.decimals;
    let holding_a = mint_of(owner_a, "token_owner_account_a")?;
    mint_of(vault_a, "token_vault_a")?;
    let holding_b = mint_of(owner_b, "token_owner_account_b")?;
    mint_of(vault_b, "token_vault_b")?;
    anchor::check_program(program_a, &PROGRAMS, "token_program_a")?;
    anchor::check_program(program_b, &PROGRAMS, "token_program_b")?;
    anchor::check_program(memo, &[MEMO_PROGRAM], "memo_program")?;

    anchor::check_writable(position_account, "position")?;
    check_position(&position, pool_account)?;
    if held.mint != position.mint || held.amount != 1 {
        return Err(anchor::CONSTRAINT_RAW.of("position_token_account"));
    }
    anchor::check_address(mint_a, &pool.mints[0], "token_mint_a")?;
    anchor::check_address(mint_b, &pool.mints[1], "token_mint_b")?;
    check_holding(owner_a, &holding_a, &pool.mints[0], "token_owner_account_a")?;
    check_vault(vault_a, &pool.vaults[0], "token_vault_a")?;
    check_holding(owner_b, &holding_b, &pool.mints[1], "token_owner_account_b")?;
    check_vault(vault_b, &pool.vaults[1], "token_vault_b")?;
    anchor::check_address(program_a, &mint_a.owner(), "token_program_a")?;
    anchor::check_address(program_b, &mint_b.owner(), "token_program_b")?;
    check_authority(holding, authority)?;
    let side_a =
        Side { mint: mint_a, program: program_a, memo, owner: owner_a, vault: vault_a, decimals: decimals_a };
    let side_b =
        Side { mint: mint_b, program: program_b, memo, owner: owner_b, vault: vault_b, decimals: decimals_b };
    Ok((pool, position, [side_a, side_b]))
}
