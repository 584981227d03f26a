//! The instruction `initialize_customizable_pool`.

use super::{point_or_now, read_point, vault_of};
use crate::activation::{self, Points};
use crate::error::{INVALID_MINIMUM_LIQUIDITY, INVALID_PRICE_RANGE};
use crate::fees::base::from_parameters;
use crate::instructions::new_pool::{make, Terms, CUSTOMIZABLE};
use crate::instructions::parameters::{check_prices, require, DynamicParameters, Fees};
use crate::instructions::pool_accounts::{check, check_mints, context, create_accounts, Context};
use crate::keys::{CUSTOM_POOL_SEED, MAX_SQRT_PRICE, MIN_SQRT_PRICE};
use crate::state::pool::CollectFeeMode;
use sluice_program::anchor::{self, decoded};
use sluice_program::bytes::Reader;
use sluice_program::{Account, Result};

/// The protocol's share of fees, and a referrer's share of the protocol's, in percent.
const SHARES: [u8; 2] = [20, 20];

/// The terms of a pool that its creator sets.
pub struct CustomArgs {
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

/// Returns None if the bytes are cut short.
pub fn read_custom(reader: &mut Reader) -> Option<CustomArgs> {
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

/// Checks the terms. Fails with the public program's error for the first invalid one.
#[inline(never)]
pub fn custom_terms(context: &Context, args: CustomArgs) -> Result<Terms> {
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
        proves_tokens: true,
        whitelisted_vault: vault_of(base, context.position.pool)?,
    })
}
