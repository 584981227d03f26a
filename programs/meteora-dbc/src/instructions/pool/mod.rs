//! The instructions that create a pool, for a new token of either token program.

mod context;
mod with_spl_token;
mod with_token_2022;

pub use with_spl_token::with_spl_token;
pub use with_token_2022::with_token_2022;

use crate::activation::get_point;
use crate::error::{require, INVALID_MIN_BASE_FEE, INVALID_TOKEN_AUTHORITY_OPTION, INVALID_TOKEN_TYPE};
use crate::events;
use crate::keys::{MIN_FEE, PROTOCOL_MIGRATION_FEE_BPS};
use crate::state::config::PoolConfig;
use crate::state::fees::Volatility;
use crate::state::pool::{VirtualPool, PRE_BONDING_CURVE};
use crate::token::{with_authority, MintRight, SetAuthority};
use context::Context;
use sluice_program::bytes::Reader;
use sluice_program::token::MintTo;
use sluice_program::{anchor, system, Address, Result};

const EVENT: [u8; 8] = anchor::event("EvtInitializePool");

/// Returns the bytes of the three texts in the arguments: name, symbol and link. Both programs that keep the metadata
/// of tokens take them in this form. Returns None if the bytes are cut short or no texts.
#[inline(never)]
fn read_texts(args: &[u8]) -> Option<&[u8]> {
    let from = &mut Reader::new(args);
    for _ in 0..3 {
        core::str::from_utf8(from.prefixed()?).ok()?;
    }
    args.get(..args.len() - from.rest().len())
}

/// Who may change the metadata of the token, and who may mint more of it. None means nobody.
struct Authorities {
    update: Option<Address>,
    mint: Option<Address>,
}

impl Authorities {
    fn of(config: &PoolConfig, context: &Context) -> Result<Self> {
        let (creator, partner) = (*context.creator.address(), config.fee_claimer);
        match config.token_update_authority {
            0 => Ok(Self { update: Some(creator), mint: None }),
            1 => Ok(Self { update: None, mint: None }),
            2 => Ok(Self { update: Some(partner), mint: None }),
            3 => Ok(Self { update: Some(creator), mint: Some(creator) }),
            4 => Ok(Self { update: Some(partner), mint: Some(partner) }),
            _ => Err(INVALID_TOKEN_AUTHORITY_OPTION.into()),
        }
    }
}

/// Checks a configuration, which may be older than the rules, again.
fn check_config(config: &PoolConfig) -> Result {
    config.check_locked_liquidity()?;
    require(config.fees.base.minimum()? >= MIN_FEE, INVALID_MIN_BASE_FEE)
}

fn check_token_type(config: &PoolConfig, expected: u8) -> Result {
    require(config.token_type == expected, INVALID_TOKEN_TYPE)
}

/// Mints the supply into the base vault, and gives the right to mint more away.
#[inline(never)]
fn mint_supply(context: &Context, supply: u64, mint_authority: Option<&Address>) -> Result {
    let (program, mint, authority) = (context.base.program, context.base.mint, context.authority);
    let destination = context.base.vault;
    with_authority(|signers| {
        MintTo { program, mint, destination, authority, amount: supply }.invoke(signers)
    })?;
    let right = MintRight::MintTokens;
    let change = SetAuthority { program, mint, authority, right, to: mint_authority };
    with_authority(|signers| change.invoke(signers))
}

/// Takes the fee for the creation, writes the pool and emits the event.
#[inline(never)]
fn finish(context: &Context, config: &PoolConfig, supply: u64) -> Result {
    if config.pool_creation_fee > 0 {
        let (from, to, lamports) = (context.payer, context.pool, config.pool_creation_fee);
        system::Transfer { from, to, lamports }.invoke(&[])?;
    }
    let activation_point = get_point(config.activation_type)?;
    write_pool(context, config, supply, activation_point)?;
    events::emit(context.event_authority, &EVENT, |event| {
        for account in [context.pool, context.config, context.creator, context.base.mint] {
            event.address(account.address())?;
        }
        event.u8(config.token_type)?;
        event.u64(activation_point)
    })
}

#[inline(always)]
fn write_pool(context: &Context, config: &PoolConfig, supply: u64, activation_point: u64) -> Result {
    let volatility =
        Volatility { last_update: 0, padding: [0; 8], sqrt_price_reference: 0, accumulator: 0, reference: 0 };
    let pool = VirtualPool {
        volatility,
        config: *context.config.address(),
        creator: *context.creator.address(),
        base_mint: *context.base.mint.address(),
        vaults: [*context.base.vault.address(), *context.quote.vault.address()],
        reserves: [supply, 0],
        protocol_fees: [0; 2],
        partner_fees: [0; 2],
        sqrt_price: config.sqrt_start_price,
        activation_point,
        pool_type: config.token_type,
        is_migrated: 0,
        is_partner_withdraw_surplus: 0,
        is_protocol_withdraw_surplus: 0,
        migration_progress: PRE_BONDING_CURVE,
        is_withdraw_leftover: 0,
        is_creator_withdraw_surplus: 0,
        migration_fee_withdraw_status: 0,
        total_protocol_fees: [0; 2],
        total_trading_fees: [0; 2],
        finish_curve_timestamp: 0,
        creator_fees: [0; 2],
        legacy_creation_fee_bits: 0,
        creation_fee_bits: 0,
        has_swap: 0,
        padding_0: [0; 5],
        protocol_migration_fee_bps: PROTOCOL_MIGRATION_FEE_BPS,
        padding_1: [0; 6],
        protocol_migration_fees: [0; 2],
        padding_2: [0; 3],
    };
    pool.save(context.pool)
}
