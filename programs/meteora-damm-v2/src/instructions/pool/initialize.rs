//! The instruction `initialize_pool`.

use super::{point_or_now, read_point, vault_of};
use crate::activation;
use crate::error::{
    DEPRECATED_BASE_FEE_MODE, INVALID_AUTHORITY_TO_CREATE_THE_POOL, INVALID_CONFIG_TYPE,
    INVALID_MINIMUM_LIQUIDITY, TYPE_CAST_FAILED,
};
use crate::fees::base::Mode;
use crate::instructions::new_pool::{make, Terms, PERMISSIONLESS};
use crate::instructions::parameters::{check_prices, require};
use crate::instructions::pool_accounts::{check, check_mints, context, create_accounts, Context};
use crate::keys::POOL_SEED;
use crate::state::config::Config;
use crate::state::pool::CollectFeeMode;
use sluice_program::anchor;
use sluice_program::bytes::{Reader, Writer};
use sluice_program::{Account, Address, Result};

const STATIC: u8 = 0;

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
        proves_tokens: false,
        whitelisted_vault: vault_of(base, context.position.pool)?,
        fees: config.fees,
    })
}
