//! The instruction `create_config`.

pub mod amounts;
mod checks;
pub mod fees;
mod parameters;

use crate::error::TRYING_TO_INIT_PAYER;
use crate::events;
use crate::keys::PROGRAM;
use crate::state::config::{parts_in_use, store, Curve, Point, PoolConfig, LEN};
use parameters::{Parts, Terms};
use sluice_program::anchor::{self, decoded};
use sluice_program::bytes::{Reader, Writer};
use sluice_program::layout::Field;
use sluice_program::{system, token, Account, Result};

const EVENT: [u8; 8] = anchor::event("EvtCreateConfig");
const EVENT_V2: [u8; 8] = anchor::event("EvtCreateConfigV2");

/// Arguments: all terms of the launches.
pub fn create(accounts: &[Account], args: &[u8]) -> Result {
    let reader = &mut Reader::new(args);
    let mut terms = decoded(Terms::read(reader))?;
    let parts = decoded(Parts::read(reader))?;
    let (given, _) = anchor::accounts::<8>(accounts)?;
    let &[account, fee_claimer, leftover_receiver, quote_mint, ..] = given;
    create_account(given)?;
    checks::check(&terms.config, &parts, quote_mint)?;
    let config = &mut terms.config;
    config.quote_mint = *quote_mint.address();
    config.fee_claimer = *fee_claimer.address();
    config.leftover_receiver = *leftover_receiver.address();
    config.quote_token_flag = quote_mint.is_owned_by(&token::PROGRAM_2022) as u8;
    amounts::complete(config, &parts.curve, terms.supply)?;
    store(config, &parts.curve, account)?;
    config.check_locked_liquidity()?;
    emit(given, &terms, &parts.curve, &args[..args.len() - reader.rest().len()])
}

#[inline(never)]
fn create_account(given: &[Account; 8]) -> Result {
    let &[config, _, _, quote_mint, payer, system_program, event_authority, _] = given;
    token::Mint::load(quote_mint, "quote_mint")?;
    anchor::check_signer(payer, "payer")?;
    anchor::check_program(system_program, &[system::PROGRAM], "system_program")?;
    anchor::check_writable(payer, "payer")?;
    anchor::check_signer(config, "config")?;
    if config.is(payer) {
        return Err(TRYING_TO_INIT_PAYER.of("config"));
    }
    system::Create { payer, account: config, space: LEN, owner: &PROGRAM }.invoke(&[])?;
    events::check_authority(event_authority)
}

/// Emits the two forms of the event. The newer one repeats the arguments.
#[inline(never)]
fn emit(given: &[Account; 8], terms: &Terms, curve: &Curve, args: &[u8]) -> Result {
    let &[account, _, _, _, _, _, authority, _] = given;
    events::emit_long(authority, &EVENT, |event| {
        event.address(account.address())?;
        write_first(event, &terms.config, &args[..terms.fees_len])?;
        let parts = parts_in_use(curve);
        event.u32(parts.len() as u32)?;
        parts.iter().try_for_each(|part| Point::write(part, event))
    })?;
    let config = &terms.config;
    events::emit_long(authority, &EVENT_V2, |event| {
        event.address(account.address())?;
        event.address(&config.quote_mint)?;
        event.address(&config.fee_claimer)?;
        event.address(&config.leftover_receiver)?;
        event.bytes(args)
    })
}

#[inline(never)]
fn write_first(event: &mut Writer, config: &PoolConfig, fees: &[u8]) -> Result {
    event.address(&config.quote_mint)?;
    event.address(&config.fee_claimer)?;
    event.address(&config.leftover_receiver)?;
    event.bytes(fees)?;
    event.array(&[
        config.collect_fee_mode,
        config.migration_option,
        config.activation_type,
        config.token_decimals,
        config.token_type,
        config.partner_permanent_locked_liquidity_percentage,
        config.partner_liquidity_percentage,
        config.creator_permanent_locked_liquidity_percentage,
        config.creator_liquidity_percentage,
    ])?;
    event.u64(config.swap_base_amount)?;
    event.u64(config.migration_quote_threshold)?;
    event.u64(config.migration_base_threshold)?;
    event.u128(config.sqrt_start_price)?;
    let vesting = &config.locked_vesting;
    for field in [vesting.amount_per_period, vesting.cliff_duration, vesting.frequency, vesting.periods] {
        event.u64(field)?;
    }
    event.u64(vesting.cliff_amount)?;
    event.array(&[config.migration_fee_option, config.fixed_token_supply_flag])?;
    event.u64(config.pre_migration_token_supply)?;
    event.u64(config.post_migration_token_supply)
}
