//! The instructions that open and close a position, with a token of the older token program.

use super::{check_new, check_system, create_derived, plain_account};
use crate::error::{
    CLOSE_POSITION_NOT_EMPTY, CONSTRAINT_CLOSE, FULL_RANGE_ONLY_POOL, INVALID_POSITION_TOKEN_AMOUNT,
    INVALID_TICK_INDEX, MISSING_OR_INVALID_DELEGATE, TOKEN_EXTENSIONS_REQUIRED,
};
use crate::keys::{FULL_RANGE_ONLY_TICK_SPACING, POSITION_SEED, PROGRAM, RENT_SYSVAR};
use crate::math::floor_div;
use crate::math::tick::{at_price, price_at, MAX_TICK, MIN_TICK};
use crate::state::pool::{keeps_positions, Pool};
use crate::state::position::{Position, LEN};
use crate::state::tick_array::is_usable;
use crate::tick_room::rent_of_tick;
use sluice_program::anchor::{self, decoded};
use sluice_program::bytes::{self, Reader, Writer};
use sluice_program::token::{self, CloseAccount, InitializeMint2, Mint, MintTo, TokenAccount};
use sluice_program::{associated_token, cpi, log, memory, system, Account, Address, ProgramError, Result};

const EVENT: [u8; 8] = anchor::event("PositionOpened");
const EVENT_LEN: usize = 8 + 2 * 32 + 2 * 4;
/// The offset of a token account's delegate, which the delegated amount follows.
const DELEGATE: usize = 72;
const DELEGATED_AMOUNT: usize = 121;

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

/// The accounts of a position that is created.
pub struct New<'a> {
    pub pool: Account<'a>,
    pub funder: Account<'a>,
    pub position: Account<'a>,
    pub mint: Account<'a>,
}

/// Writes a position that was just created, and transfers the rent of its two ticks to it.
#[inline(never)]
pub fn begin(pool: &Pool, new: &New, range: [i32; 2]) -> Result {
    // Positions pay for the ticks of dynamic arrays at which they end.
    system::Transfer { from: new.funder, to: new.position, lamports: rent_of_tick()? << 1 }.invoke(&[])?;
    let range = resolved(range, pool)?;
    check_range(range, pool.tick_spacing)?;
    Position::encode(&mut new.position.data_mut()?, new.pool.address(), new.mint.address(), range)?;
    emit(new.pool, new.position, range)
}

/// Replaces a lower tick of i32::MIN, or an upper one of i32::MAX, by the tick next to the price, so that the
/// position starts with one token only.
#[inline(never)]
fn resolved(range: [i32; 2], pool: &Pool) -> Result<[i32; 2]> {
    let [lower, upper] = range;
    let open = [lower == i32::MIN, upper == i32::MAX];
    if open == [false, false] || pool.tick_spacing >= FULL_RANGE_ONLY_TICK_SPACING {
        return Ok(range);
    }
    let spacing = pool.tick_spacing as i32;
    let tick = at_price(pool.sqrt_price);
    let below = floor_div(tick, spacing) * spacing;
    match open {
        [true, true] => Err(INVALID_TICK_INDEX.into()),
        [true, false] => {
            let exact = below == tick && price_at(tick) == pool.sqrt_price;
            let above = if exact { tick } else { below + spacing };
            if above > MAX_TICK {
                return Err(INVALID_TICK_INDEX.into());
            }
            Ok([above, upper])
        }
        _ if below < MIN_TICK => Err(INVALID_TICK_INDEX.into()),
        _ => Ok([lower, below]),
    }
}

/// Fails with InvalidTickIndex or FullRangeOnlyPool unless the pool accepts positions of this range.
#[inline(never)]
fn check_range(range: [i32; 2], tick_spacing: u16) -> Result {
    let [lower, upper] = range;
    let spacing = tick_spacing as i32;
    if !is_usable(lower, spacing) || !is_usable(upper, spacing) || lower >= upper {
        return Err(INVALID_TICK_INDEX.into());
    }
    let widest = floor_div(MAX_TICK, spacing) * spacing;
    if tick_spacing >= FULL_RANGE_ONLY_TICK_SPACING && range != [-widest, widest] {
        return Err(FULL_RANGE_ONLY_POOL.into());
    }
    Ok(())
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

#[inline(never)]
fn emit(pool: Account, position: Account, range: [i32; 2]) -> Result {
    let mut data = [0; EVENT_LEN];
    let mut event = Writer::new(&mut data);
    event.array(&EVENT)?;
    event.address(pool.address())?;
    event.address(position.address())?;
    event.u32(range[0] as u32)?;
    event.u32(range[1] as u32)?;
    log::data(&[event.written()]);
    Ok(())
}

/// Burns the token of an empty position, and pays all rent to the receiver.
pub fn close(accounts: &[Account], _: &[u8]) -> Result {
    let (&[authority, receiver, position, mint, holding, program], _) = anchor::accounts(accounts)?;
    anchor::check_signer(authority, "position_authority")?;
    let state = Position::load(position, "position")?;
    anchor::check_owner(mint, &[token::PROGRAM], "position_mint")?;
    Mint::load(mint, "position_mint")?;
    let held = plain_account(holding, "position_token_account")?;
    anchor::check_program(program, &[token::PROGRAM], "token_program")?;

    anchor::check_writable(receiver, "receiver")?;
    let (expected, _) = Address::find(&[POSITION_SEED, &mint.address().0], &PROGRAM)?;
    if *position.address() != expected {
        return Err(anchor::CONSTRAINT_SEEDS.of("position"));
    }
    anchor::check_writable(position, "position")?;
    if position.is(receiver) {
        return Err(CONSTRAINT_CLOSE.of("position"));
    }
    anchor::check_writable(mint, "position_mint")?;
    anchor::check_address(mint, &state.mint, "position_mint")?;
    anchor::check_writable(holding, "position_token_account")?;
    if held.amount != 1 || held.mint != state.mint {
        return Err(anchor::CONSTRAINT_RAW.of("position_token_account"));
    }
    check_authority(holding, authority)?;
    if !state.is_empty() {
        return Err(CLOSE_POSITION_NOT_EMPTY.into());
    }
    burn(program, holding, mint, authority)?;
    CloseAccount { program, account: holding, destination: receiver, authority }.invoke(&[])?;
    erase(position, receiver)
}

/// Burns the token, and checks that it has no decimals.
pub fn burn(program: Account, holding: Account, mint: Account, authority: Account) -> Result {
    const ONE: [u8; 10] = [15, 1, 0, 0, 0, 0, 0, 0, 0, 0];
    let accounts = [holding.writable(), mint.writable(), authority.readonly_signer()];
    cpi::invoke(program.address(), &accounts, &ONE, &[])
}

/// Leaves the account without lamports and discriminator, so that the runtime removes it.
#[inline(never)]
pub fn erase(account: Account, receiver: Account) -> Result {
    let sum = receiver.lamports().checked_add(account.lamports()).ok_or(ProgramError::ARITHMETIC_OVERFLOW)?;
    receiver.set_lamports(sum);
    account.set_lamports(0);
    memory::fill(&mut account.data_mut()?, 0);
    Ok(())
}

/// Fails with MissingOrInvalidDelegate unless the holder of the position's token signed, or the delegate of that
/// token.
#[inline(never)]
pub fn check_authority(holding: Account, authority: Account) -> Result {
    let owner = TokenAccount::load(holding, "position_token_account")?.owner;
    let data = holding.data()?;
    let delegated = data.get(DELEGATE) == Some(&1)
        && bytes::address_at(&data, DELEGATE + 4).as_ref() == Some(authority.address());
    if delegated {
        if bytes::u64_at(&data, DELEGATED_AMOUNT) != Some(1) {
            return Err(INVALID_POSITION_TOKEN_AMOUNT.into());
        }
    } else if owner != *authority.address() {
        return Err(MISSING_OR_INVALID_DELEGATE.into());
    }
    if authority.is_signer() {
        Ok(())
    } else {
        Err(MISSING_OR_INVALID_DELEGATE.into())
    }
}
