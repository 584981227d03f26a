//! The instruction `update_amm_config`.

use super::require_sane;
use crate::checks;
use crate::error::{out_of_range, INVALID_INPUT, INVALID_OWNER};
use crate::keys::ADMIN;
use sluice_program::bytes::Reader;
use sluice_program::{anchor, Account, Address, Result};

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
