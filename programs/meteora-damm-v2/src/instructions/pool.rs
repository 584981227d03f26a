//! The instructions that create a pool.

use super::new_pool::{make, Terms, CUSTOMIZABLE, PERMISSIONLESS};
use super::parameters::{check_prices, require, DynamicParameters, Fees};
use super::pool_accounts::{check, check_mints, context, create_accounts, Context};
use crate::activation::{self, Points};
use crate::error::{
    DEPRECATED_BASE_FEE_MODE, INVALID_AUTHORITY_TO_CREATE_THE_POOL, INVALID_CONFIG_TYPE,
    INVALID_MINIMUM_LIQUIDITY, INVALID_PRICE_RANGE, TYPE_CAST_FAILED,
};
use crate::fees::base::{from_parameters, Mode};
use crate::keys::{
    ALPHA_VAULT_PROGRAM, ALPHA_VAULT_SEED, CUSTOM_POOL_SEED, MAX_SQRT_PRICE, MIN_SQRT_PRICE, POOL_SEED,
};
use crate::state::config::Config;
use crate::state::pool::CollectFeeMode;
use sluice_program::anchor::{self, decoded};
use sluice_program::bytes::{Reader, Writer};
use sluice_program::{Account, Address, Result};

/// The protocol's share of fees, and a referrer's share of the protocol's, in percent.
const SHARES: [u8; 2] = [20, 20];
const STATIC: u8 = 0;

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

/// Arguments: all terms of the pool. Each pair has at most one such pool.
pub fn initialize_customizable(accounts: &[Account], args: &[u8]) -> Result {
    let parsed = decoded(read_custom(&mut Reader::new(args)))?;
    let (given, badges) = anchor::accounts::<19>(accounts)?;
    let &[creator, mint, holding, payer, ref rest @ ..] = given;
    let context = context([creator, mint, holding, payer], rest);
    check(&context)?;
    create_accounts(&context, CUSTOM_POOL_SEED, &[])?;
    let terms = custom_terms(&context, parsed)?;
    check_mints(&context, badges)?;
    make(&context, &terms, &args[..terms.fees.written_len()])
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

/// Arguments: the liquidity, the price, the point of the first swap. The configuration contains the other terms.
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
    terms.fees.write(&mut fees)?;
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

fn point_or_now(point: Option<u64>, kind: u8) -> Result<u64> {
    match point {
        Some(point) => Ok(point),
        None => Ok(Points::of(kind)?.now),
    }
}

/// Returns the vault that may buy first: the one that is derived from this base for this pool.
fn vault_of(base: Option<&Address>, pool: Account) -> Result<Address> {
    match base {
        None => Ok(Address::ZERO),
        Some(base) => {
            let seeds: [&[u8]; 3] = [ALPHA_VAULT_SEED, &base.0, &pool.address().0];
            Ok(Address::find(&seeds, &ALPHA_VAULT_PROGRAM)?.0)
        }
    }
}
