use super::decoded;
use super::parameters::{check_prices, require, DynamicParameters, Fees};
use super::position::{create_derived, NewPosition};
use crate::activation::{self, Points};
use crate::error::{
    AMOUNT_IS_ZERO, DEPRECATED_BASE_FEE_MODE, INVALID_AUTHORITY_TO_CREATE_THE_POOL, INVALID_CONFIG_TYPE,
    INVALID_MINIMUM_LIQUIDITY, INVALID_PRICE_RANGE, INVALID_TOKEN_BADGE, TYPE_CAST_FAILED,
};
use crate::events;
use crate::fees::base::{from_parameters, Mode};
use crate::keys::{
    ALPHA_VAULT_PROGRAM, ALPHA_VAULT_SEED, CUSTOM_POOL_SEED, MAX_SQRT_PRICE, MIN_SQRT_PRICE, POOL_SEED,
    PROGRAM, VAULT_SEED,
};
use crate::math::amount::Stretch;
use crate::math::{mul_div_wide, root, Rounding};
use crate::state::config::Config;
use crate::state::pool::{self as layout, CollectFeeMode};
use crate::state::{load, put_u128, put_u64};
use crate::token::{is_supported, with_fee, Token};
use sluice_program::bytes::{self, Reader, Writer};
use sluice_program::token::{self, InitializeAccount3, Mint, TokenAccount, PROGRAMS};
use sluice_program::{anchor, system, wide, Account, Address, Result};

const EVENT: [u8; 8] = anchor::event("EvtInitializePool");
const BADGE: [u8; 8] = anchor::account("TokenBadge");
const BADGE_LEN: usize = 40;
/// The protocol's share of fees, and a referrer's share of that, in percent.
const SHARES: [u8; 2] = [20, 20];
/// Of a compounding pool's first liquidity, so much belongs to nobody.
const DEAD_LIQUIDITY: u128 = 100 << 64;
const STATIC: u8 = 0;
/// Whose configuration a pool was made by: one that everybody finds, or its creator's own.
const PERMISSIONLESS: u8 = 0;
const CUSTOMIZABLE: u8 = 1;

/// The accounts as listed; pairs are of token A and token B.
struct Context<'a> {
    position: NewPosition<'a>,
    tokens: [Token<'a>; 2],
    users: [Account<'a>; 2],
    system_program: Account<'a>,
    event_authority: Account<'a>,
    program: Account<'a>,
}

/// What a pool begins with.
struct Terms {
    fees: Fees,
    shares: [u8; 2],
    sqrt_prices: [u128; 2],
    sqrt_price: u128,
    liquidity: u128,
    activation_type: u8,
    activation_point: u64,
    collect_fee_mode: u8,
    kind: u8,
    whitelisted_vault: Address,
}

/// What the first liquidity is worth.
struct Start {
    amounts: [u64; 2],
    sqrt_price: u128,
    sqrt_prices: [u128; 2],
    /// What of the liquidity is the creator's.
    held: u128,
}

/// What the event tells besides the terms: `fees` as arguments have them.
struct Told<'a> {
    start: Start,
    fees: &'a [u8],
    sent: [u64; 2],
}

struct CustomArgs {
    fees: [u8; 27],
    compounding_bps: u16,
    dynamic: Option<DynamicParameters>,
    sqrt_prices: [u128; 2],
    has_vault: bool,
    liquidity: u128,
    sqrt_price: u128,
    activation_type: u8,
    collect_fee_mode: u8,
    activation_point: Option<u64>,
}

fn read_custom(reader: &mut Reader) -> Option<CustomArgs> {
    let fees = *reader.array()?;
    let compounding_bps = reader.u16()?;
    reader.u8()?;
    let dynamic = if reader.bool()? { Some(DynamicParameters::read(reader)?) } else { None };
    let sqrt_prices = [reader.u128()?, reader.u128()?];
    let has_vault = reader.bool()?;
    let [liquidity, sqrt_price] = [reader.u128()?, reader.u128()?];
    let [activation_type, collect_fee_mode] = [reader.u8()?, reader.u8()?];
    let activation_point = read_point(reader)?;
    Some(CustomArgs {
        fees,
        compounding_bps,
        dynamic,
        sqrt_prices,
        has_vault,
        liquidity,
        sqrt_price,
        activation_type,
        collect_fee_mode,
        activation_point,
    })
}

fn read_point(reader: &mut Reader) -> Option<Option<u64>> {
    Some(if reader.bool()? { Some(reader.u64()?) } else { None })
}

/// Arguments: all terms of the pool. There is one such pool of a pair.
pub fn initialize_customizable(accounts: &[Account], args: &[u8]) -> Result {
    let parsed = decoded(read_custom(&mut Reader::new(args)))?;
    let (given, badges) = anchor::accounts::<19>(accounts)?;
    let &[creator, mint, holding, payer, ref rest @ ..] = given;
    let context = context([creator, mint, holding, payer], rest);
    check(&context)?;
    create_accounts(&context, CUSTOM_POOL_SEED, &[])?;
    let terms = custom_terms(&context, parsed)?;
    check_mints(&context, badges)?;
    make(&context, &terms, &args[..fees_len(&terms.fees)])
}

/// Of the fees as they stand first in the arguments.
fn fees_len(fees: &Fees) -> usize {
    const WITHOUT_DYNAMIC: usize = 27 + 2 + 1 + 1;
    const DYNAMIC: usize = 2 + 16 + 3 * 2 + 2 * 4;
    WITHOUT_DYNAMIC + if fees.dynamic.is_some() { DYNAMIC } else { 0 }
}

#[inline(never)]
fn custom_terms(context: &Context, args: CustomArgs) -> Result<Terms> {
    Points::of(args.activation_type)?;
    let mode = CollectFeeMode::of_argument(args.collect_fee_mode)?;
    let [lowest, highest] = args.sqrt_prices;
    if mode != CollectFeeMode::Compounding {
        let within = lowest >= MIN_SQRT_PRICE && highest <= MAX_SQRT_PRICE && lowest < highest;
        require(within, INVALID_PRICE_RANGE)?;
    }
    check_prices(mode, args.sqrt_price, args.sqrt_prices)?;
    require(args.liquidity > 0, INVALID_MINIMUM_LIQUIDITY)?;
    let base = from_parameters(&args.fees)?;
    let fees = Fees { base, compounding_bps: args.compounding_bps, dynamic: args.dynamic };
    fees.check(mode)?;
    activation::check(args.activation_point, args.activation_type, args.has_vault)?;
    let base = args.has_vault.then_some(context.position.payer.address());
    Ok(Terms {
        fees,
        shares: SHARES,
        sqrt_prices: args.sqrt_prices,
        sqrt_price: args.sqrt_price,
        liquidity: args.liquidity,
        activation_type: args.activation_type,
        activation_point: point_or_now(args.activation_point, args.activation_type)?,
        collect_fee_mode: args.collect_fee_mode,
        kind: CUSTOMIZABLE,
        whitelisted_vault: vault_of(base, context.position.pool)?,
    })
}

/// Arguments: liquidity, price, point of the first swap. The configuration has the other terms.
pub fn initialize(accounts: &[Account], args: &[u8]) -> Result {
    let reader = &mut Reader::new(args);
    let (Some(liquidity), Some(sqrt_price), Some(point)) = (reader.u128(), reader.u128(), read_point(reader))
    else {
        return Err(anchor::INSTRUCTION_DID_NOT_DESERIALIZE.into());
    };
    let (given, badges) = anchor::accounts::<20>(accounts)?;
    let &[creator, mint, holding, payer, config_account, ref rest @ ..] = given;
    let context = context([creator, mint, holding, payer], rest);
    let config = Config::load(config_account)?;
    check(&context)?;
    create_accounts(&context, POOL_SEED, &config_account.address().0)?;
    check_mints(&context, badges)?;
    let terms = terms_of_config(&context, config, (liquidity, sqrt_price, point))?;
    let mut buffer = [0; 80];
    let mut fees = Writer::new(&mut buffer);
    write_fees(&terms.fees, &mut fees)?;
    make(&context, &terms, fees.written())
}

#[inline(never)]
fn terms_of_config(
    context: &Context,
    config: Config,
    (liquidity, sqrt_price, point): (u128, u128, Option<u64>),
) -> Result<Terms> {
    require(liquidity > 0, INVALID_MINIMUM_LIQUIDITY)?;
    require(config.kind == STATIC, INVALID_CONFIG_TYPE)?;
    require(config.fees.base.mode()? != Mode::RateLimiter, DEPRECATED_BASE_FEE_MODE)?;
    let may = [Address::ZERO, *context.position.payer.address()].contains(&config.creator_authority);
    require(may, INVALID_AUTHORITY_TO_CREATE_THE_POOL)?;
    let base = (config.vault_base != Address::ZERO).then_some(&config.vault_base);
    activation::check(point, config.activation_type, base.is_some())?;
    let mode = CollectFeeMode::of(config.collect_fee_mode, TYPE_CAST_FAILED)?;
    check_prices(mode, sqrt_price, config.sqrt_prices)?;
    Ok(Terms {
        shares: config.shares,
        sqrt_prices: config.sqrt_prices,
        sqrt_price,
        liquidity,
        activation_type: config.activation_type,
        activation_point: point_or_now(point, config.activation_type)?,
        collect_fee_mode: config.collect_fee_mode,
        kind: PERMISSIONLESS,
        whitelisted_vault: vault_of(base, context.position.pool)?,
        fees: config.fees,
    })
}

/// The 15 accounts behind those of the position and its payer, and behind a configuration.
#[inline(never)]
fn context<'a>(first: [Account<'a>; 4], rest: &[Account<'a>; 15]) -> Context<'a> {
    let [owner, mint, holding, payer] = first;
    let &[authority, pool, position, mint_a, mint_b, vault_a, vault_b, user_a, user_b, ref rest @ ..] = rest;
    let &[program_a, program_b, token_program, system_program, event_authority, program] = rest;
    Context {
        position: NewPosition { owner, mint, holding, position, pool, authority, payer, token_program },
        tokens: [
            Token { mint: mint_a, vault: vault_a, program: program_a },
            Token { mint: mint_b, vault: vault_b, program: program_b },
        ],
        users: [user_a, user_b],
        system_program,
        event_authority,
        program,
    }
}

#[inline(never)]
fn check(context: &Context) -> Result {
    let [a, b] = &context.tokens;
    Mint::load(a.mint, "token_a_mint")?;
    Mint::load(b.mint, "token_b_mint")?;
    TokenAccount::load(context.users[0], "payer_token_a")?;
    TokenAccount::load(context.users[1], "payer_token_b")?;
    anchor::check_program(a.program, &PROGRAMS, "token_a_program")?;
    anchor::check_program(b.program, &PROGRAMS, "token_b_program")?;
    context.position.check()?;
    anchor::check_program(context.system_program, &[system::PROGRAM], "system_program")?;
    for (account, name) in [
        (context.position.pool, "pool"),
        (a.vault, "token_a_vault"),
        (b.vault, "token_b_vault"),
        (context.users[0], "payer_token_a"),
        (context.users[1], "payer_token_b"),
    ] {
        anchor::check_writable(account, name)?;
    }
    if a.mint.is(b.mint) {
        return Err(anchor::CONSTRAINT_RAW.of("token_a_mint"));
    }
    for (token, name) in [(a, "token_a_mint"), (b, "token_b_mint")] {
        if !token.mint.is_owned_by(token.program.address()) {
            return Err(anchor::CONSTRAINT_MINT_TOKEN_PROGRAM.of(name));
        }
    }
    events::check_accounts(context.event_authority, context.program)
}

/// The position's token, the pool and its vaults.
#[inline(never)]
fn create_accounts(context: &Context, seed: &[u8], config: &[u8]) -> Result {
    let position = &context.position;
    position.create_token()?;
    let [one, other] = [context.tokens[0].mint.address(), context.tokens[1].mint.address()];
    let (larger, smaller) = if one > other { (one, other) } else { (other, one) };
    let (payer, account) = (position.payer, position.pool);
    let (expected, bump) = Address::find(&[seed, config, &larger.0, &smaller.0], &PROGRAM)?;
    if *account.address() != expected {
        return Err(anchor::CONSTRAINT_SEEDS.of("pool"));
    }
    system::Create { payer, account, space: layout::LEN, owner: &PROGRAM }.invoke(&[&[
        seed,
        config,
        &larger.0,
        &smaller.0,
        &[bump],
    ]])?;
    create_vault(context, 0)?;
    create_vault(context, 1)
}

/// With room for what the mint's extensions demand of its token accounts.
#[inline(never)]
fn create_vault(context: &Context, side: usize) -> Result {
    let Token { mint, vault, program } = context.tokens[side];
    let NewPosition { payer, pool, authority, .. } = context.position;
    let space = if mint.is_owned_by(&token::PROGRAM) {
        token::ACCOUNT_LEN
    } else {
        token::account_size(&mint.data()?, false)
    };
    let seeds = [VAULT_SEED, &mint.address().0[..], &pool.address().0[..]];
    create_derived(payer, vault, (space, program.address()), seeds)?;
    InitializeAccount3 { program, account: vault, mint, owner: authority.address() }.invoke()
}

/// InvalidTokenBadge unless both mints are harmless, or let in by a badge behind the accounts, at the place of its side.
#[inline(never)]
fn check_mints(context: &Context, badges: &[Account]) -> Result {
    for (side, token) in context.tokens.iter().enumerate() {
        if is_supported(token.mint)? {
            continue;
        }
        let badge = *badges.get(side).ok_or(INVALID_TOKEN_BADGE)?;
        let data = load(badge, &BADGE, BADGE_LEN, "token_badge")?;
        require(bytes::address_at(&data, 8).as_ref() == Some(token.mint.address()), INVALID_TOKEN_BADGE)?;
    }
    Ok(())
}

fn point_or_now(point: Option<u64>, kind: u8) -> Result<u64> {
    match point {
        Some(point) => Ok(point),
        None => Ok(Points::of(kind)?.now),
    }
}

/// The vault that may buy first: the one of this base for this pool.
fn vault_of(base: Option<&Address>, pool: Account) -> Result<Address> {
    match base {
        None => Ok(Address::ZERO),
        Some(base) => {
            let seeds: [&[u8]; 3] = [ALPHA_VAULT_SEED, &base.0, &pool.address().0];
            Ok(Address::find(&seeds, &ALPHA_VAULT_PROGRAM)?.0)
        }
    }
}

/// Writes pool and position, and takes the first liquidity in. `fees` are those of the event.
#[inline(never)]
fn make(context: &Context, terms: &Terms, fees: &[u8]) -> Result {
    let mode = CollectFeeMode::of(terms.collect_fee_mode, TYPE_CAST_FAILED)?;
    let start = if mode == CollectFeeMode::Compounding { compounding(terms)? } else { concentrated(terms)? };
    require(start.amounts != [0, 0], AMOUNT_IS_ZERO)?;
    write_pool(context, terms, &start)?;
    context.position.create(start.held)?;
    context.position.mint_token()?;
    context.position.emit(context.event_authority)?;
    // The creator of a pool with terms of its own shows that it has both tokens.
    let least = (terms.kind == CUSTOMIZABLE) as u64;
    let [a, b] = &context.tokens;
    let sent =
        [with_fee(a.mint, start.amounts[0])?.max(least), with_fee(b.mint, start.amounts[1])?.max(least)];
    a.take_in(context.users[0], context.position.payer, sent[0])?;
    b.take_in(context.users[1], context.position.payer, sent[1])?;
    emit(context, terms, &Told { start, fees, sent })
}

#[inline(never)]
fn concentrated(terms: &Terms) -> Result<Start> {
    let Terms { sqrt_price, sqrt_prices, liquidity, .. } = *terms;
    let [lowest, highest] = sqrt_prices;
    let a = Stretch { lower: sqrt_price, upper: highest, liquidity }.token_a(Rounding::Up)?;
    let b = Stretch { lower: lowest, upper: sqrt_price, liquidity }.token_b(Rounding::Up)?;
    Ok(Start { amounts: [a, b], sqrt_price, sqrt_prices, held: liquidity })
}

/// Reserves whose product is the square of the liquidity, and the price that they, rounded, stand for.
#[inline(never)]
fn compounding(terms: &Terms) -> Result<Start> {
    let liquidity = terms.liquidity;
    require(liquidity > DEAD_LIQUIDITY, INVALID_MINIMUM_LIQUIDITY)?;
    let a = mul_div_wide(&[liquidity, 1, terms.sqrt_price], Rounding::Up)?;
    let product = wide::U256::product(liquidity, terms.sqrt_price);
    let b = product.high.checked_add((product.low != 0) as u128).and_then(sluice_program::math::narrow);
    let b = b.ok_or(TYPE_CAST_FAILED)?;
    let sqrt_price = root::of_reserves(a, b)?;
    Ok(Start { amounts: [a, b], sqrt_price, sqrt_prices: [0, u128::MAX], held: liquidity - DEAD_LIQUIDITY })
}

#[inline(never)]
fn write_pool(context: &Context, terms: &Terms, start: &Start) -> Result {
    let data = &mut context.position.pool.data_mut()?;
    bytes::put(data, 0, &layout::TAG)?;
    bytes::put(data, 8, &terms.fees.base.bytes)?;
    bytes::put(data, 48, &[terms.shares[0]])?;
    bytes::put(data, 50, &[terms.shares[1]])?;
    bytes::put(data, 54, &terms.fees.compounding_bps.to_le_bytes())?;
    if let Some(dynamic) = &terms.fees.dynamic {
        bytes::put(data, 56, &[1])?;
        bytes::put(data, 64, &dynamic.max_accumulator.to_le_bytes())?;
        bytes::put(data, 68, &dynamic.control.to_le_bytes())?;
        bytes::put(data, 72, &dynamic.bin_step.to_le_bytes())?;
        for (at, period) in [74, 76, 78].into_iter().zip(dynamic.periods) {
            bytes::put(data, at, &period.to_le_bytes())?;
        }
        put_u128(data, 88, dynamic.bin_step_q64)?;
    }
    put_u128(data, 152, start.sqrt_price)?;
    for (side, token) in context.tokens.iter().enumerate() {
        let step = [0, 32][side];
        bytes::put(data, 168 + step, &token.mint.address().0)?;
        bytes::put(data, 232 + step, &token.vault.address().0)?;
        bytes::put(data, 482 + side, &[flag(token)])?;
        put_u64(data, layout::AMOUNTS[side], start.amounts[side])?;
    }
    bytes::put(data, 296, &terms.whitelisted_vault.0)?;
    put_u128(data, layout::LIQUIDITY, terms.liquidity)?;
    put_u128(data, 424, start.sqrt_prices[0])?;
    put_u128(data, 440, start.sqrt_prices[1])?;
    put_u128(data, layout::SQRT_PRICE, start.sqrt_price)?;
    put_u64(data, 472, terms.activation_point)?;
    bytes::put(data, 480, &[terms.activation_type])?;
    bytes::put(data, 484, &[terms.collect_fee_mode, terms.kind, 1])?;
    put_u64(data, layout::POSITIONS, 1)?;
    bytes::put(data, 648, &context.position.owner.address().0)?;
    bytes::put(data, layout::LAYOUT_VERSION, &[1])
}

/// Which token program the token is of.
fn flag(token: &Token) -> u8 {
    !token.mint.is_owned_by(&token::PROGRAM) as u8
}

/// As arguments have them.
fn write_fees(fees: &Fees, writer: &mut Writer) -> Result {
    let bytes = &fees.base.bytes;
    writer.bytes(&bytes[..8])?;
    writer.bytes(&bytes[14..])?;
    writer.u8(bytes[8])?;
    writer.u16(fees.compounding_bps)?;
    writer.u8(0)?;
    writer.u8(fees.dynamic.is_some() as u8)?;
    match &fees.dynamic {
        Some(dynamic) => dynamic.write(writer),
        None => Ok(()),
    }
}

#[inline(never)]
fn emit(context: &Context, terms: &Terms, told: &Told) -> Result {
    let Told { start, fees, sent } = told;
    let position = &context.position;
    let [a, b] = &context.tokens;
    // A pool by configuration tells of the range there, even where it does not count.
    let range = if terms.kind == CUSTOMIZABLE { start.sqrt_prices } else { terms.sqrt_prices };
    events::emit(context.event_authority, &EVENT, |event| {
        for account in [position.pool, a.mint, b.mint, position.owner, position.payer] {
            event.address(account.address())?;
        }
        event.address(&terms.whitelisted_vault)?;
        event.bytes(fees)?;
        event.u128(range[0])?;
        event.u128(range[1])?;
        event.u8(terms.activation_type)?;
        event.u8(terms.collect_fee_mode)?;
        event.u128(terms.liquidity)?;
        event.u128(start.sqrt_price)?;
        event.u64(terms.activation_point)?;
        event.u8(flag(a))?;
        event.u8(flag(b))?;
        for amount in [start.amounts[0], start.amounts[1], sent[0], sent[1]] {
            event.u64(amount)?;
        }
        event.u8(terms.kind)
    })
}
