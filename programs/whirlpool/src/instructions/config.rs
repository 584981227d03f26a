//! The instructions that create configurations and fee tiers.

use super::{check_new, check_system, create_derived};
use crate::error::INVALID_TICK_SPACING;
use crate::keys::{FEE_TIER_SEED, PROGRAM};
use crate::state::config::{Config, FeeTier, CONFIG_LEN, FEE_TIER_LEN};
use sluice_program::anchor::{self, decoded};
use sluice_program::bytes::Reader;
use sluice_program::{address, system, Account, Address, Result};

/// The keys that may create configurations: Orca's on Solana and on Eclipse.
const ADMINS: [Address; 2] = [
    address!("GwH3Hiv5mACLX3ufTw1pFsrhSPon5tdw252DBs4Rx4PV"),
    address!("AqiJTdr9jLPDAk5prGhWFHtSM1qJszAsdZVV7oeinxhh"),
];

/// Arguments: the three authorities, and the protocol's share for new pools. An admin pays.
pub fn initialize(accounts: &[Account], args: &[u8]) -> Result {
    let new = decoded(Config::read(&mut Reader::new(args)))?;
    let (&[config, funder, system_program], _) = anchor::accounts(accounts)?;
    anchor::check_signer(funder, "funder")?;
    check_system(system_program)?;
    check_new(config, funder)?;
    system::Create { payer: funder, account: config, space: CONFIG_LEN, owner: &PROGRAM }.invoke(&[])?;
    anchor::check_writable(funder, "funder")?;
    if !ADMINS.contains(funder.address()) {
        return Err(anchor::CONSTRAINT_RAW.of("funder"));
    }
    new.encode(&mut config.data_mut()?)
}

fn read_tier(reader: &mut Reader) -> Option<[u16; 2]> {
    Some([reader.u16()?, reader.u16()?])
}

/// Arguments: the tick spacing, and the fee rate for new pools. Signed by the configuration's fee authority.
pub fn initialize_fee_tier(accounts: &[Account], args: &[u8]) -> Result {
    let [tick_spacing, default_fee_rate] = decoded(read_tier(&mut Reader::new(args)))?;
    let (&[config, fee_tier, funder, fee_authority, system_program], _) = anchor::accounts(accounts)?;
    let owner = Config::load(config, "config")?.fee_authority;
    anchor::check_signer(funder, "funder")?;
    anchor::check_signer(fee_authority, "fee_authority")?;
    check_system(system_program)?;
    let seeds = [FEE_TIER_SEED, &config.address().0, &tick_spacing.to_le_bytes()];
    create_derived(funder, fee_tier, FEE_TIER_LEN, &seeds, "fee_tier")?;
    anchor::check_writable(funder, "funder")?;
    anchor::check_address(fee_authority, &owner, "fee_authority")?;
    if tick_spacing == 0 {
        return Err(INVALID_TICK_SPACING.into());
    }
    let tier = FeeTier { config: *config.address(), tick_spacing, default_fee_rate };
    tier.encode(&mut fee_tier.data_mut()?)
}
