//! The instruction `initialize_fee_tier`.

use crate::error::INVALID_TICK_SPACING;
use crate::instructions::{check_system, create_derived};
use crate::keys::FEE_TIER_SEED;
use crate::state::config::{Config, FeeTier, FEE_TIER_LEN};
use sluice_program::anchor::{self, decoded};
use sluice_program::bytes::Reader;
use sluice_program::{Account, Result};

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
