//! The instructions that create a pool.

mod initialize;
mod initialize_v2;

pub use initialize::initialize;
pub use initialize_v2::initialize_v2;

use super::{check_new, check_system, create_derived};
use crate::error::{
    FEE_RATE_MAX_EXCEEDED, INVALID_TOKEN_MINT_ORDER, PROTOCOL_FEE_RATE_MAX_EXCEEDED,
    SQRT_PRICE_OUT_OF_BOUNDS, UNSUPPORTED_TOKEN_MINT,
};
use crate::keys::{MAX_FEE_RATE, MAX_PROTOCOL_FEE_RATE, POOL_SEED, PROGRAM, RENT_SYSVAR, TOKEN_BADGE_SEED};
use crate::math::tick::{at_price, MAX_SQRT_PRICE, MIN_SQRT_PRICE};
use crate::state::config::{Config, FeeTier};
use crate::state::pool::{Pool, Reward, LEN};
use sluice_program::anchor;
use sluice_program::bytes::{Reader, Writer};
use sluice_program::token::{self, Extension, InitializeAccount3, InitializeImmutableOwner, Mint, PROGRAMS};
use sluice_program::{cpi, log, system, Account, Address, ProgramError, Result};

const EVENT: [u8; 8] = anchor::event("PoolInitialized");
const EVENT_LEN: usize = 8 + 4 * 32 + 2 + 2 * 32 + 2 + 16;

/// The mint of wrapped SOL in Token-2022, which pools do not accept.
const NATIVE_MINT_2022: Address = Address::from_base58("9pan9bMn5HatX4EJdBwg9VgCa7Uz5HL8N1m5D3NdXejP");

/// The system program's error for an account that exists.
const ALREADY_IN_USE: ProgramError = ProgramError::custom(0);

/// The accounts in the interface's order. Pairs are of token A and token B.
struct Context<'a> {
    config: Account<'a>,
    mints: [Account<'a>; 2],
    badges: Option<[Account<'a>; 2]>,
    funder: Account<'a>,
    pool: Account<'a>,
    vaults: [Account<'a>; 2],
    fee_tier: Account<'a>,
    programs: [Account<'a>; 2],
    system: Account<'a>,
    rent: Account<'a>,
}

struct Terms {
    tick_spacing: u16,
    sqrt_price: u128,
}

fn read_terms(reader: &mut Reader) -> Option<Terms> {
    Some(Terms { tick_spacing: reader.u16()?, sqrt_price: reader.u128()? })
}

fn create(context: &Context, terms: &Terms) -> Result {
    let (config, tier, decimals) = check_types(context)?;
    let [mint_a, mint_b] = context.mints;
    let spacing = terms.tick_spacing.to_le_bytes();
    let seeds = [POOL_SEED, &context.config.address().0, &mint_a.address().0, &mint_b.address().0, &spacing];
    let bump = create_derived(context.funder, context.pool, LEN, &seeds, "whirlpool")?;
    if context.badges.is_none() {
        create_vault(context, 0)?;
        create_vault(context, 1)?;
    }
    check_bindings(context, &tier, terms)?;
    if context.badges.is_some() {
        check_supported(mint_a)?;
        check_supported(mint_b)?;
        create_vault(context, 0)?;
        create_vault(context, 1)?;
    }
    write(context, terms, &config, (&tier, bump))?;
    emit(context, terms, decimals)
}

#[inline(never)]
fn check_types(context: &Context) -> Result<(Config, FeeTier, [u8; 2])> {
    let config = Config::load(context.config, "whirlpools_config")?;
    let allowed: &[Address] = if context.badges.is_some() { &PROGRAMS } else { &[token::PROGRAM] };
    let [mint_a, mint_b] = context.mints;
    anchor::check_owner(mint_a, allowed, "token_mint_a")?;
    let decimals_a = Mint::load(mint_a, "token_mint_a")?.decimals;
    anchor::check_owner(mint_b, allowed, "token_mint_b")?;
    let decimals_b = Mint::load(mint_b, "token_mint_b")?.decimals;
    anchor::check_signer(context.funder, "funder")?;
    if context.badges.is_some() {
        anchor::check_signer(context.vaults[0], "token_vault_a")?;
        anchor::check_signer(context.vaults[1], "token_vault_b")?;
    }
    let tier = FeeTier::load(context.fee_tier, "fee_tier")?;
    let names =
        if context.badges.is_some() { ["token_program_a", "token_program_b"] } else { ["token_program"; 2] };
    anchor::check_program(context.programs[0], allowed, names[0])?;
    anchor::check_program(context.programs[1], allowed, names[1])?;
    check_system(context.system)?;
    if *context.rent.address() != RENT_SYSVAR {
        return Err(anchor::ACCOUNT_SYSVAR_MISMATCH.of("rent"));
    }
    Ok((config, tier, [decimals_a, decimals_b]))
}

#[inline(never)]
fn check_bindings(context: &Context, tier: &FeeTier, terms: &Terms) -> Result {
    if let Some([badge_a, badge_b]) = context.badges {
        check_badge(context, badge_a, 0, "token_badge_a")?;
        check_badge(context, badge_b, 1, "token_badge_b")?;
    }
    anchor::check_writable(context.funder, "funder")?;
    if context.badges.is_some() {
        anchor::check_writable(context.vaults[0], "token_vault_a")?;
        anchor::check_writable(context.vaults[1], "token_vault_b")?;
    }
    if tier.config != *context.config.address() {
        return Err(anchor::CONSTRAINT_HAS_ONE.of("fee_tier"));
    }
    if tier.tick_spacing != terms.tick_spacing {
        return Err(anchor::CONSTRAINT_RAW.of("fee_tier"));
    }
    if context.badges.is_some() {
        anchor::check_address(context.programs[0], &context.mints[0].owner(), "token_program_a")?;
        anchor::check_address(context.programs[1], &context.mints[1].owner(), "token_program_b")?;
    }
    Ok(())
}

fn check_badge(context: &Context, badge: Account, side: usize, name: &str) -> Result {
    let mint = context.mints[side].address();
    let (expected, _) = Address::find(&[TOKEN_BADGE_SEED, &context.config.address().0, &mint.0], &PROGRAM)?;
    if *badge.address() == expected {
        Ok(())
    } else {
        Err(anchor::CONSTRAINT_SEEDS.of(name))
    }
}

/// Fails with UnsupportedTokenMint for a mint that the public program accepts never or only with a badge. No
/// instruction here creates badges.
#[inline(never)]
fn check_supported(mint: Account) -> Result {
    const HARMLESS: [Extension; 5] = [
        Extension::TransferFeeConfig,
        Extension::MetadataPointer,
        Extension::TokenMetadata,
        Extension::InterestBearingConfig,
        Extension::ScaledUiAmount,
    ];
    /// The extensions of mints with confidential transfers. The accounts that a pool creates do not use them.
    const CONFIDENTIAL: [u16; 2] = [4, 16];
    if mint.is_owned_by(&token::PROGRAM) {
        return Ok(());
    }
    let data = mint.data()?;
    let supported = token::extensions(&data)
        .all(|(kind, _)| HARMLESS.iter().any(|each| *each as u16 == kind) || CONFIDENTIAL.contains(&kind));
    let freezable = data[46] != 0;
    if !supported || freezable || *mint.address() == NATIVE_MINT_2022 {
        return Err(UNSUPPORTED_TOKEN_MINT.into());
    }
    Ok(())
}

/// Creates the vault. Its address is a key of its own, which signs.
#[inline(never)]
fn create_vault(context: &Context, side: usize) -> Result {
    let (vault, mint, program) = (context.vaults[side], context.mints[side], context.programs[side]);
    // Only the newer instruction makes the owner of the vaults of Token-2022 mints immutable.
    let fixed = context.badges.is_some() && mint.is_owned_by(&token::PROGRAM_2022);
    let space = if context.badges.is_some() { asked_size(program, mint, fixed)? } else { token::ACCOUNT_LEN };
    if context.badges.is_none() {
        check_new(vault, context.funder)?;
    } else if !vault.is_owned_by(&system::PROGRAM) {
        return Err(anchor::ACCOUNT_OWNED_BY_WRONG_PROGRAM.into());
    } else if vault.is(context.funder) {
        // The lamports that a vault already holds are sent to the funder; here the vault itself is the funder, and
        // the system program then refuses it.
        let lamports = vault.lamports();
        system::Transfer { from: vault, to: context.funder, lamports }.invoke(&[])?;
        return Err(ALREADY_IN_USE);
    }
    system::Create { payer: context.funder, account: vault, space, owner: program.address() }.invoke(&[])?;
    if fixed {
        InitializeImmutableOwner { program, account: vault }.invoke()?;
    }
    InitializeAccount3 { program, account: vault, mint, owner: context.pool.address() }.invoke()
}

#[inline(never)]
fn write(context: &Context, terms: &Terms, config: &Config, tier: (&FeeTier, u8)) -> Result {
    let (tier, bump) = tier;
    let [mint_a, mint_b] = context.mints.map(|mint| *mint.address());
    if mint_a >= mint_b {
        return Err(INVALID_TOKEN_MINT_ORDER.into());
    }
    if !(MIN_SQRT_PRICE..=MAX_SQRT_PRICE).contains(&terms.sqrt_price) {
        return Err(SQRT_PRICE_OUT_OF_BOUNDS.into());
    }
    if tier.default_fee_rate > MAX_FEE_RATE {
        return Err(FEE_RATE_MAX_EXCEEDED.into());
    }
    if config.default_protocol_fee_rate > MAX_PROTOCOL_FEE_RATE {
        return Err(PROTOCOL_FEE_RATE_MAX_EXCEEDED.into());
    }
    let pool = Pool {
        config: *context.config.address(),
        bump,
        tick_spacing: terms.tick_spacing,
        fee_tier_index: terms.tick_spacing,
        fee_rate: tier.default_fee_rate,
        protocol_fee_rate: config.default_protocol_fee_rate,
        liquidity: 0,
        sqrt_price: terms.sqrt_price,
        tick: at_price(terms.sqrt_price),
        protocol_fees: [0; 2],
        mints: [mint_a, mint_b],
        vaults: context.vaults.map(|vault| *vault.address()),
        fee_growth: [0; 2],
        rewards_updated_at: 0,
        rewards: [Reward::NONE; 3],
    };
    pool.encode(&mut context.pool.data_mut()?, &config.reward_emissions_super_authority)
}

#[inline(never)]
fn emit(context: &Context, terms: &Terms, decimals: [u8; 2]) -> Result {
    let mut data = [0; EVENT_LEN];
    let mut event = Writer::new(&mut data);
    event.array(&EVENT)?;
    event.address(context.pool.address())?;
    event.address(context.config.address())?;
    event.address(context.mints[0].address())?;
    event.address(context.mints[1].address())?;
    event.u16(terms.tick_spacing)?;
    event.address(context.programs[0].address())?;
    event.address(context.programs[1].address())?;
    event.array(&decimals)?;
    event.u128(terms.sqrt_price)?;
    log::data(&[event.written()]);
    Ok(())
}

/// Returns the length of a token account of the mint, as the token program computes it.
#[inline(never)]
fn asked_size(program: Account, mint: Account, fixed: bool) -> Result<usize> {
    /// The instruction that returns the length. The extension that makes an account's owner immutable follows if it
    /// is wanted.
    const ASK: [u8; 3] = [21, 7, 0];
    let data = if fixed { &ASK[..] } else { &ASK[..1] };
    cpi::invoke(program.address(), &[mint.readonly()], data, &[])?;
    let mut answer = [0; 8];
    cpi::return_data(&mut answer).ok_or(ProgramError::INVALID_ACCOUNT_DATA)?;
    Ok(u64::from_le_bytes(answer) as usize)
}
