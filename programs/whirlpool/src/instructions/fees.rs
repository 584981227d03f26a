use super::position::check_authority;
use super::{check_holding, check_vault, now, plain_account};
use crate::error::LIQUIDITY_ZERO;
use crate::state::pool::Pool;
use crate::state::position::Position;
use crate::state::tick_array::TickArray;
use sluice_program::token::{self, TokenAccount, Transfer, PROGRAMS};
use sluice_program::{anchor, Account, Result};

/// Books what a position with liquidity earned so far.
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

/// Pays out the fees that are booked for a position.
pub fn collect(accounts: &[Account], _: &[u8]) -> Result {
    let (given, _) = anchor::accounts::<9>(accounts)?;
    let (pool, mut position) = check(given)?;
    let [pool_account, _, position_account, _, owner_a, vault_a, owner_b, vault_b, program] = *given;
    let amounts = position.fees.map(|fees| fees.amount);
    for fees in &mut position.fees {
        fees.amount = 0;
    }
    position.save(position_account)?;
    let between = [(vault_a, owner_a), (vault_b, owner_b)];
    for ((source, destination), amount) in between.into_iter().zip(amounts) {
        let transfer = Transfer { program, source, destination, authority: pool_account, amount };
        pool.with_signer(|signers| transfer.invoke(signers))?;
    }
    Ok(())
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

fn check_position(position: &Position, pool: Account) -> Result {
    if position.pool == *pool.address() {
        Ok(())
    } else {
        Err(anchor::CONSTRAINT_HAS_ONE.of("position"))
    }
}
