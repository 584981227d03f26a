use super::position::check_authority;
use super::{decoded, now};
use crate::error::{
    LIQUIDITY_TOO_HIGH, LIQUIDITY_ZERO, LOCKED_POSITION, TOKEN_MAX_EXCEEDED, TOKEN_MIN_SUBCEEDED,
};
use crate::math::add_liquidity;
use crate::math::amount::Stretch;
use crate::math::tick::price_at;
use crate::state::pool::Pool;
use crate::state::position::Position;
use crate::state::tick::Ending;
use crate::state::tick_array::TickArray;
use sluice_program::bytes::{Reader, Writer};
use sluice_program::token::{self, TokenAccount, Transfer, PROGRAMS};
use sluice_program::{anchor, log, Account, Result};

const INCREASED: [u8; 8] = anchor::event("LiquidityIncreased");
const DECREASED: [u8; 8] = anchor::event("LiquidityDecreased");
const EVENT_LEN: usize = 8 + 2 * 32 + 2 * 4 + 16 + 4 * 8;

struct Args {
    liquidity: u128,
    /// At most so much of each token goes in, or at least so much comes out.
    limits: [u64; 2],
}

fn read_args(reader: &mut Reader) -> Option<Args> {
    Some(Args { liquidity: reader.u128()?, limits: [reader.u64()?, reader.u64()?] })
}

/// The accounts as listed. Pairs are of token A and token B, or of the lower and the upper end.
struct Context<'a> {
    pool: Account<'a>,
    program: Account<'a>,
    authority: Account<'a>,
    position: Account<'a>,
    owners: [Account<'a>; 2],
    vaults: [Account<'a>; 2],
    arrays: [Account<'a>; 2],
}

/// Arguments: liquidity, the most of token A and of token B.
pub fn increase(accounts: &[Account], args: &[u8]) -> Result {
    let args = decoded(read_args(&mut Reader::new(args)))?;
    let (context, pool, position) = check(accounts, false)?;
    let (pool, position) = (&mut { pool }, &mut { position });
    let delta = signed(args.liquidity)?;
    modify(&context, pool, position, delta)?;
    let amounts = amounts_of(pool, position, &args, true)?;
    if amounts[0] > args.limits[0] || amounts[1] > args.limits[1] {
        return Err(TOKEN_MAX_EXCEEDED.into());
    }
    for (side, amount) in amounts.into_iter().enumerate() {
        let (source, destination) = (context.owners[side], context.vaults[side]);
        let (program, authority) = (context.program, context.authority);
        Transfer { program, source, destination, authority, amount }.invoke(&[])?;
    }
    emit(&INCREASED, &context, position, (args.liquidity, amounts))
}

/// Arguments: liquidity, the least of token A and of token B.
pub fn decrease(accounts: &[Account], args: &[u8]) -> Result {
    let args = decoded(read_args(&mut Reader::new(args)))?;
    let (context, pool, position) = check(accounts, true)?;
    let (pool, position) = (&mut { pool }, &mut { position });
    let delta = -signed(args.liquidity)?;
    modify(&context, pool, position, delta)?;
    let amounts = amounts_of(pool, position, &args, false)?;
    if amounts[0] < args.limits[0] || amounts[1] < args.limits[1] {
        return Err(TOKEN_MIN_SUBCEEDED.into());
    }
    for (side, amount) in amounts.into_iter().enumerate() {
        let (source, destination) = (context.vaults[side], context.owners[side]);
        let (program, authority) = (context.program, context.pool);
        let transfer = Transfer { program, source, destination, authority, amount };
        pool.with_signer(|signers| transfer.invoke(signers))?;
    }
    emit(&DECREASED, &context, position, (args.liquidity, amounts))
}

/// The accounts in order, each for what it must be on its own, then what binds them together.
#[inline(never)]
fn check<'a>(accounts: &[Account<'a>], refuse_locked: bool) -> Result<(Context<'a>, Pool, Position)> {
    let (given, _) = anchor::accounts::<11>(accounts)?;
    let &[pool_account, program, authority, position_account, holding, ref rest @ ..] = given;
    let &[owner_a, owner_b, vault_a, vault_b, lower, upper] = rest;
    check_mutable(pool_account)?;
    if *program.address() != token::PROGRAM {
        return Err(anchor::INVALID_PROGRAM_ID.of("token_program"));
    }
    anchor::check_signer(authority, "position_authority")?;
    for account in [position_account, owner_a, owner_b, vault_a, vault_b, lower, upper] {
        check_mutable(account)?;
    }
    let pool = Pool::load(pool_account, "whirlpool")?;
    let position = Position::load(position_account, "position")?;
    anchor::check_address(pool_account, &position.pool, "whirlpool")?;
    anchor::check_owner(holding, &PROGRAMS, "position_token_account")?;
    let held = TokenAccount::load(holding, "position_token_account")?;
    if held.mint != position.mint || held.amount != 1 {
        return Err(anchor::CONSTRAINT_RAW.of("position_token_account"));
    }
    anchor::check_address(vault_a, &pool.vaults[0], "token_vault_a")?;
    anchor::check_address(vault_b, &pool.vaults[1], "token_vault_b")?;
    check_authority(holding, authority)?;
    if refuse_locked && held.frozen {
        return Err(LOCKED_POSITION.into());
    }
    let context = Context {
        pool: pool_account,
        program,
        authority,
        position: position_account,
        owners: [owner_a, owner_b],
        vaults: [vault_a, vault_b],
        arrays: [lower, upper],
    };
    Ok((context, pool, position))
}

/// These instructions of the public program give this error where others give ConstraintMut.
fn check_mutable(account: Account) -> Result {
    if account.is_writable() {
        Ok(())
    } else {
        Err(anchor::ACCOUNT_NOT_MUTABLE.into())
    }
}

/// LiquidityZero, or LiquidityTooHigh where it does not fit a signed number.
fn signed(liquidity: u128) -> Result<i128> {
    if liquidity == 0 {
        return Err(LIQUIDITY_ZERO.into());
    }
    if liquidity >> 127 != 0 {
        return Err(LIQUIDITY_TOO_HIGH.into());
    }
    Ok(liquidity as i128)
}

/// Changes the liquidity of pool, position and both ticks, and books what the position earned.
#[inline(never)]
fn modify(context: &Context, pool: &mut Pool, position: &mut Position, delta: i128) -> Result {
    let now = now()?;
    let [lower_account, upper_account] = context.arrays;
    let spacing = pool.tick_spacing as i32;
    let lower = TickArray::load(lower_account, context.pool.address())?.tick(position.lower, spacing)?;
    let upper = TickArray::load(upper_account, context.pool.address())?.tick(position.upper, spacing)?;

    let in_range = position.lower <= pool.tick && pool.tick < position.upper;
    let liquidity = if in_range { add_liquidity(pool.liquidity, delta) } else { Ok(pool.liquidity) };
    pool.update_rewards(now)?;
    let liquidity = liquidity?;
    let next_lower = lower.changed(pool, &Ending { index: position.lower, delta, is_upper: false })?;
    let next_upper = upper.changed(pool, &Ending { index: position.upper, delta, is_upper: true })?;
    position.earn(pool, [&lower, &upper]);
    position.liquidity = add_liquidity(position.liquidity, delta)?;
    pool.liquidity = liquidity;

    TickArray::load(lower_account, context.pool.address())?.set_tick(position.lower, spacing, &next_lower)?;
    TickArray::load(upper_account, context.pool.address())?.set_tick(position.upper, spacing, &next_upper)?;
    position.save(context.position)?;
    pool.save(context.pool)
}

/// What so much liquidity in the position's range is worth of token A and token B.
#[inline(never)]
fn amounts_of(pool: &Pool, position: &Position, args: &Args, round_up: bool) -> Result<[u64; 2]> {
    let liquidity = args.liquidity;
    let (lower, upper) = (price_at(position.lower), price_at(position.upper));
    let a = |from: u128| Stretch { from, to: upper, liquidity }.amount_a(round_up);
    let b = |to: u128| Stretch { from: lower, to, liquidity }.amount_b(round_up);
    if pool.tick < position.lower {
        Ok([a(lower)??, 0])
    } else if pool.tick < position.upper {
        Ok([a(pool.sqrt_price)??, b(pool.sqrt_price)?])
    } else {
        Ok([0, b(upper)?])
    }
}

#[inline(never)]
fn emit(tag: &[u8; 8], context: &Context, position: &Position, change: (u128, [u64; 2])) -> Result {
    let (liquidity, amounts) = change;
    let mut data = [0; EVENT_LEN];
    let mut event = Writer::new(&mut data);
    event.array(tag)?;
    event.address(context.pool.address())?;
    event.address(context.position.address())?;
    event.u32(position.lower as u32)?;
    event.u32(position.upper as u32)?;
    event.u128(liquidity)?;
    // Mints of the older token program withhold nothing from transfers.
    for amount in [amounts[0], amounts[1], 0, 0] {
        event.u64(amount)?;
    }
    log::data(&[event.written()]);
    Ok(())
}
