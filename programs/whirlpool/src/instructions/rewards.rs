//! Payment of the rewards that a position earned.

use super::fees::check_position;
use super::position::check_authority;
use super::slices::{self, Hooks};
use super::{check_holding, check_vault, mint_of, plain_account};
use crate::keys::MEMO_PROGRAM;
use crate::state::pool::{reward_accounts, Pool};
use crate::state::position::Position;
use crate::token::{Payer, Side};
use sluice_program::anchor::{self, decoded};
use sluice_program::bytes::Reader;
use sluice_program::token::{self, Mint, TokenAccount, Transfer, PROGRAMS};
use sluice_program::{Account, Result};

const MEMO: &str = "Orca CollectReward";

/// Argument: the index of the reward. Pays the recorded amount, or as much of it as the vault holds.
pub fn collect(accounts: &[Account], args: &[u8]) -> Result {
    let index = decoded(Reader::new(args).u8())?;
    let (given, _) = anchor::accounts::<7>(accounts)?;
    let &[pool_account, authority, position_account, holding, owner, vault, program] = given;
    let pool = Pool::load(pool_account, "whirlpool")?;
    anchor::check_signer(authority, "position_authority")?;
    let mut position = Position::load(position_account, "position")?;
    anchor::check_owner(holding, &PROGRAMS, "position_token_account")?;
    let held = TokenAccount::load(holding, "position_token_account")?;
    let mint = plain_account(owner, "reward_owner_account")?.mint;
    let available = plain_account(vault, "reward_vault")?.amount;
    anchor::check_program(program, &[token::PROGRAM], "token_program")?;

    check_position_token(&position, [pool_account, position_account], &held)?;
    let (expected, its_vault) = reward_accounts(pool_account, index)?;
    check_holding(owner, &mint, &expected, "reward_owner_account")?;
    check_vault(vault, &its_vault, "reward_vault")?;
    check_authority(holding, authority)?;
    let amount = take(&mut position, index, available);
    position.save(position_account)?;
    let transfer = Transfer { program, source: vault, destination: owner, authority: pool_account, amount };
    pool.with_signer(|signers| transfer.invoke(signers))
}

/// Does the same as [`collect`] for rewards of both token programs. Arguments: the index of the reward, slices.
pub fn collect_v2(accounts: &[Account], args: &[u8]) -> Result {
    let mut reader = Reader::new(args);
    let index = decoded(reader.u8())?;
    let slices = decoded(slices::read(&mut reader))?;
    let (given, rest) = anchor::accounts::<9>(accounts)?;
    let (pool, mut position, side) = check_v2(given, index)?;
    slices::check_hooks(slices, rest, Hooks::Reward)?;
    let available = token::amount_of(side.vault)?;
    let amount = take(&mut position, index, available);
    position.save(given[2])?;
    side.pay_out(&Payer { pool: &pool, account: given[0] }, amount, MEMO)
}

#[inline(never)]
fn check_v2<'a>(given: &[Account<'a>; 9], index: u8) -> Result<(Pool, Position, Side<'a>)> {
    let [pool_account, authority, position_account, holding, owner, mint, vault, program, memo] = *given;
    let pool = Pool::load(pool_account, "whirlpool")?;
    anchor::check_signer(authority, "position_authority")?;
    let position = Position::load(position_account, "position")?;
    anchor::check_owner(holding, &PROGRAMS, "position_token_account")?;
    let held = TokenAccount::load(holding, "position_token_account")?;
    let owner_mint = mint_of(owner, "reward_owner_account")?;
    let decimals = Mint::load(mint, "reward_mint")?.decimals;
    mint_of(vault, "reward_vault")?;
    anchor::check_program(program, &PROGRAMS, "reward_token_program")?;
    anchor::check_program(memo, &[MEMO_PROGRAM], "memo_program")?;

    check_position_token(&position, [pool_account, position_account], &held)?;
    let (expected, its_vault) = reward_accounts(pool_account, index)?;
    check_holding(owner, &owner_mint, &expected, "reward_owner_account")?;
    anchor::check_address(mint, &expected, "reward_mint")?;
    check_vault(vault, &its_vault, "reward_vault")?;
    anchor::check_address(program, &mint.owner(), "reward_token_program")?;
    check_authority(holding, authority)?;
    Ok((pool, position, Side { mint, program, memo, owner, vault, decimals }))
}

/// Checks that the account holds the position's token. `accounts` are those of the pool and of the position.
fn check_position_token(position: &Position, accounts: [Account; 2], held: &TokenAccount) -> Result {
    let [pool, account] = accounts;
    anchor::check_writable(account, "position")?;
    check_position(position, pool)?;
    if held.mint == position.mint && held.amount == 1 {
        Ok(())
    } else {
        Err(anchor::CONSTRAINT_RAW.of("position_token_account"))
    }
}

/// Returns the amount that is paid of a reward. The rest stays recorded.
fn take(position: &mut Position, index: u8, available: u64) -> u64 {
    let owed = &mut position.rewards[index as usize];
    let amount = owed.amount.min(available);
    owed.amount -= amount;
    amount
}
