//! The instructions that update and pay out a position's fees.

use super::position::check_authority;
use super::{check_holding, check_vault, mint_of, now, plain_account, slices};
use crate::error::LIQUIDITY_ZERO;
use crate::keys::MEMO_PROGRAM;
use crate::state::pool::Pool;
use crate::state::position::Position;
use crate::state::tick_array::TickArray;
use crate::token::{Payer, Side};
use sluice_program::anchor::{self, decoded};
use sluice_program::bytes::Reader;
use sluice_program::token::{self, Mint, TokenAccount, Transfer, PROGRAMS};
use sluice_program::{Account, Result};

const MEMO: &str = "Orca CollectFees";

/// Records what a position with liquidity has earned so far.
pub fn update(accounts: &[Account], _: &[u8]) -> Result {
    let (&[pool_account, position_account, lower, upper], _) = anchor::accounts(accounts)?;
    let mut pool = Pool::load(pool_account, "whirlpool")?;
    let mut position = Position::load(position_account, "position")?;
    anchor::check_writable(pool_account, "whirlpool")?;
    anchor::check_writable(position_account, "position")?;
    check_position(&position, pool_account)?;
    let now = now()?;
    let spacing = pool.tick_spacing as i32;
    let lower = TickArray::load_readonly(lower, pool_account.address())?.tick(position.lower, spacing)?;
    let upper = TickArray::load_readonly(upper, pool_account.address())?.tick(position.upper, spacing)?;
    if position.liquidity == 0 {
        return Err(LIQUIDITY_ZERO.into());
    }
    pool.update_rewards(now)?;
    position.earn(&pool, [&lower, &upper]);
    position.save(position_account)?;
    pool.save(pool_account)
}

/// Pays out the fees that are recorded for a position.
pub fn collect(accounts: &[Account], _: &[u8]) -> Result {
    let (given, _) = anchor::accounts::<9>(accounts)?;
    let (pool, mut position) = check(given)?;
    let [pool_account, _, position_account, _, owner_a, vault_a, owner_b, vault_b, program] = *given;
    let amounts = taken(&mut position, position_account)?;
    let between = [(vault_a, owner_a), (vault_b, owner_b)];
    for ((source, destination), amount) in between.into_iter().zip(amounts) {
        let transfer = Transfer { program, source, destination, authority: pool_account, amount };
        pool.with_signer(|signers| transfer.invoke(signers))?;
    }
    Ok(())
}

/// Returns the recorded fees and sets them to zero.
fn taken(position: &mut Position, account: Account) -> Result<[u64; 2]> {
    let amounts = position.fees.map(|fees| fees.amount);
    for fees in &mut position.fees {
        fees.amount = 0;
    }
    position.save(account)?;
    Ok(amounts)
}

#[inline(never)]
fn check(given: &[Account; 9]) -> Result<(Pool, Position)> {
    let [pool_account, authority, position_account, holding, rest @ ..] = *given;
    let [owner_a, vault_a, owner_b, vault_b, program] = rest;
    let pool = Pool::load(pool_account, "whirlpool")?;
    anchor::check_signer(authority, "position_authority")?;
    let position = Position::load(position_account, "position")?;
    anchor::check_owner(holding, &PROGRAMS, "position_token_account")?;
    let held = TokenAccount::load(holding, "position_token_account")?;
    let mints = [plain_account(owner_a, "token_owner_account_a")?, plain_account(vault_a, "token_vault_a")?];
    let more = [plain_account(owner_b, "token_owner_account_b")?, plain_account(vault_b, "token_vault_b")?];
    anchor::check_program(program, &[token::PROGRAM], "token_program")?;

    anchor::check_writable(position_account, "position")?;
    check_position(&position, pool_account)?;
    if held.mint != position.mint || held.amount != 1 {
        return Err(anchor::CONSTRAINT_RAW.of("position_token_account"));
    }
    check_holding(owner_a, &mints[0].mint, &pool.mints[0], "token_owner_account_a")?;
    check_vault(vault_a, &pool.vaults[0], "token_vault_a")?;
    check_holding(owner_b, &more[0].mint, &pool.mints[1], "token_owner_account_b")?;
    check_vault(vault_b, &pool.vaults[1], "token_vault_b")?;
    check_authority(holding, authority)?;
    Ok((pool, position))
}

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

/// Checks that the position belongs to the pool.
pub fn check_position(position: &Position, pool: Account) -> Result {
    if position.pool == *pool.address() {
        Ok(())
    } else {
        Err(anchor::CONSTRAINT_HAS_ONE.of("position"))
    }
}
