//! The instruction `collect_fees`.

use super::{check_position, taken};
use crate::instructions::position::check_authority;
use crate::instructions::{check_holding, check_vault, plain_account};
use crate::state::pool::Pool;
use crate::state::position::Position;
use sluice_program::anchor;
use sluice_program::token::{self, TokenAccount, Transfer, PROGRAMS};
use sluice_program::{Account, Result};

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
