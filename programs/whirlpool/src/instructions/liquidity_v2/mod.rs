//! The instructions that change liquidity, for mints of both token programs.

mod decrease;
mod increase;
mod increase_by_amounts;

pub use decrease::decrease;
pub use increase::increase;
pub use increase_by_amounts::increase_by_amounts;

use super::liquidity::{check_holder, check_mutable, load_position, Args};
use crate::change::{amounts_of, emit, modify, signed, LiquidityAccounts, Moved, INCREASED};
use crate::error::TOKEN_MAX_EXCEEDED;
use crate::keys::MEMO_PROGRAM;
use crate::state::pool::Pool;
use crate::state::position::Position;
use crate::token::{with_fee, Side};
use sluice_program::anchor;
use sluice_program::token::{Mint, PROGRAMS};
use sluice_program::{Account, Result};

/// The accounts in the interface's order. Sides are those of token A and token B.
struct Context<'a> {
    changed: LiquidityAccounts<'a>,
    authority: Account<'a>,
    sides: [Side<'a>; 2],
}

/// The state before a change, and the requested liquidity.
struct State {
    pool: Pool,
    position: Position,
    liquidity: u128,
    limits: [u64; 2],
}

#[inline(never)]
fn deposit(context: &Context, state: &mut State) -> Result {
    let State { pool, position, limits, .. } = state;
    let liquidity = state.liquidity;
    modify(&context.changed, pool, position, signed(liquidity)?)?;
    let mut moved = Moved { amounts: amounts_of(pool, position, &liquidity, true)?, fees: [0; 2] };
    for (index, side) in context.sides.iter().enumerate() {
        let gross = with_fee(side.mint, moved.amounts[index])?;
        moved.fees[index] = gross - moved.amounts[index];
        moved.amounts[index] = gross;
    }
    if moved.amounts[0] > limits[0] || moved.amounts[1] > limits[1] {
        return Err(TOKEN_MAX_EXCEEDED.into());
    }
    for (side, amount) in context.sides.iter().zip(moved.amounts) {
        side.take_in(context.authority, amount)?;
    }
    emit(&INCREASED, &context.changed, position, (liquidity, moved))
}

/// The number of accounts in the interface of these instructions.
const LISTED: usize = 15;

/// Returns the accounts after those of the interface.
fn behind<'s, 'a>(accounts: &'s [Account<'a>]) -> &'s [Account<'a>] {
    accounts.get(LISTED..).unwrap_or(&[])
}

/// Checks the accounts: first each account by itself, in order, then the relations between them.
#[inline(never)]
fn check<'a>(accounts: &[Account<'a>], args: &Args, refuse_locked: bool) -> Result<(Context<'a>, State)> {
    let (given, _) = anchor::accounts::<LISTED>(accounts)?;
    let &[pool_account, program_a, program_b, memo, authority, position, holding, ref rest @ ..] = given;
    let &[mint_a, mint_b, owner_a, owner_b, vault_a, vault_b, lower, upper] = rest;
    check_mutable(pool_account)?;
    anchor::check_program(program_a, &PROGRAMS, "token_program_a")?;
    anchor::check_program(program_b, &PROGRAMS, "token_program_b")?;
    anchor::check_program(memo, &[MEMO_PROGRAM], "memo_program")?;
    anchor::check_signer(authority, "position_authority")?;
    for account in [position, owner_a, owner_b, vault_a, vault_b, lower, upper] {
        check_mutable(account)?;
    }
    let pool = Pool::load(pool_account, "whirlpool")?;
    anchor::check_address(program_a, &mint_a.owner(), "token_program_a")?;
    anchor::check_address(program_b, &mint_b.owner(), "token_program_b")?;
    let changed = LiquidityAccounts { pool: pool_account, position, arrays: [lower, upper] };
    let position = load_position(&changed, holding)?;
    anchor::check_address(mint_a, &pool.mints[0], "token_mint_a")?;
    anchor::check_address(mint_b, &pool.mints[1], "token_mint_b")?;
    anchor::check_address(vault_a, &pool.vaults[0], "token_vault_a")?;
    anchor::check_address(vault_b, &pool.vaults[1], "token_vault_b")?;
    check_holder(holding, authority, refuse_locked)?;
    let decimals = [decimals_of(mint_a, "token_mint_a")?, decimals_of(mint_b, "token_mint_b")?];
    let side_a = Side {
        mint: mint_a,
        program: program_a,
        memo,
        owner: owner_a,
        vault: vault_a,
        decimals: decimals[0],
    };
    let side_b = Side {
        mint: mint_b,
        program: program_b,
        memo,
        owner: owner_b,
        vault: vault_b,
        decimals: decimals[1],
    };
    let (liquidity, limits) = (args.liquidity, args.limits);
    let context = Context { changed, authority, sides: [side_a, side_b] };
    Ok((context, State { pool, position, liquidity, limits }))
}

#[inline(never)]
fn decimals_of(mint: Account, name: &str) -> Result<u8> {
    Mint::load(mint, name).map(|mint| mint.decimals)
}
