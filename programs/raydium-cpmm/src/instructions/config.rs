//! The instructions that create and change configurations.

use crate::checks;
use crate::error::{out_of_range, INVALID_INPUT, INVALID_OWNER};
use crate::keys::{ADMIN, CONFIG_SEED, FEE_RATE_DENOMINATOR, FUND_FEE_OWNER, PROGRAM, PROTOCOL_FEE_OWNER};
use crate::state::config::{AmmConfig, LEN};
use sluice_program::bytes::Reader;
use sluice_program::{anchor, system, Account, Address, Result};

struct NewConfig {
    index: u16,
    trade_fee_rate: u64,
    protocol_fee_rate: u64,
    fund_fee_rate: u64,
    create_pool_fee: u64,
    creator_fee_rate: u64,
}

impl NewConfig {
    fn decode(args: &[u8]) -> Option<Self> {
        let mut reader = Reader::new(args);
        Some(Self {
            index: reader.u16()?,
            trade_fee_rate: reader.u64()?,
            protocol_fee_rate: reader.u64()?,
            fund_fee_rate: reader.u64()?,
            create_pool_fee: reader.u64()?,
            creator_fee_rate: reader.u64()?,
        })
    }
}

/// Arguments: index, trade rate, protocol rate, fund rate, fee for a new pool, creator rate. Signed by the admin.
pub fn create(accounts: &[Account], args: &[u8]) -> Result {
    let new = NewConfig::decode(args).ok_or(anchor::INSTRUCTION_DID_NOT_DESERIALIZE)?;
    let (&[owner, amm_config, system_program], _) = anchor::accounts(accounts)?;
    anchor::check_signer(owner, "owner")?;
    checks::system_program(system_program)?;
    let index = new.index.to_be_bytes();
    let (expected, bump) = Address::find(&[CONFIG_SEED, &index], &PROGRAM)?;
    checks::derived(amm_config, &expected, "amm_config")?;
    system::Create { payer: owner, account: amm_config, space: LEN, owner: &PROGRAM }.invoke(&[&[
        CONFIG_SEED,
        &index,
        &[bump],
    ]])?;
    anchor::check_writable(owner, "owner")?;
    checks::address_or(owner, &ADMIN, INVALID_OWNER, "owner")?;

    let config = AmmConfig {
        bump,
        disable_create_pool: false,
        index: new.index,
        trade_fee_rate: new.trade_fee_rate,
        protocol_fee_rate: new.protocol_fee_rate,
        fund_fee_rate: new.fund_fee_rate,
        create_pool_fee: new.create_pool_fee,
        protocol_owner: PROTOCOL_FEE_OWNER,
        fund_owner: FUND_FEE_OWNER,
        creator_fee_rate: new.creator_fee_rate,
        creator_fee_share_rate: 0,
    };
    require_sane(&config);
    let mut data = amm_config.data_mut()?;
    config.encode(&mut data)
}

/// Arguments: the number of the field, and its new value. For the owners, the new value is an account after the fixed
/// ones. Signed by the admin.
pub fn update(accounts: &[Account], args: &[u8]) -> Result {
    let mut reader = Reader::new(args);
    let (field, value) = reader.u8().zip(reader.u64()).ok_or(anchor::INSTRUCTION_DID_NOT_DESERIALIZE)?;
    let (&[owner, amm_config], more) = anchor::accounts(accounts)?;
    anchor::check_signer(owner, "owner")?;
    let mut config = checks::amm_config(amm_config)?;
    checks::address_or(owner, &ADMIN, INVALID_OWNER, "owner")?;
    anchor::check_writable(amm_config, "amm_config")?;

    match field {
        0 => config.trade_fee_rate = value,
        1 => config.protocol_fee_rate = value,
        2 => config.fund_fee_rate = value,
        3 => config.protocol_owner = new_owner(more)?,
        4 => config.fund_owner = new_owner(more)?,
        5 => config.create_pool_fee = value,
        6 => config.disable_create_pool = value != 0,
        7 => config.creator_fee_rate = value,
        8 => config.creator_fee_share_rate = value,
        _ => return Err(INVALID_INPUT.into()),
    }
    require_sane(&config);
    let mut data = amm_config.data_mut()?;
    config.encode(&mut data)
}

fn new_owner(more: &[Account]) -> Result<Address> {
    let Some(owner) = more.first() else {
        out_of_range("no account for the new owner");
    };
    if *owner.address() == Address::ZERO {
        return Err(anchor::REQUIRE_KEYS_NEQ_VIOLATED.into());
    }
    Ok(*owner.address())
}

/// Ends the program if the rates would take everything.
fn require_sane(config: &AmmConfig) {
    let below = |limit: u64, a: u64, b: u64| matches!(a.checked_add(b), Some(sum) if sum <= limit);
    if !below(FEE_RATE_DENOMINATOR - 1, config.trade_fee_rate, config.creator_fee_rate) {
        out_of_range("trade and creator fee rate");
    }
    if !below(FEE_RATE_DENOMINATOR, config.protocol_fee_rate, config.fund_fee_rate) {
        out_of_range("protocol and fund fee rate");
    }
    if config.creator_fee_share_rate > FEE_RATE_DENOMINATOR {
        out_of_range("creator fee share rate");
    }
}
