//! The instruction `create_amm_config`.

use super::require_sane;
use crate::checks;
use crate::error::INVALID_OWNER;
use crate::keys::{ADMIN, CONFIG_SEED, FUND_FEE_OWNER, PROGRAM, PROTOCOL_FEE_OWNER};
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
