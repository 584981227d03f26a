//! The accounts of configurations and fee tiers.

use super::load;
use crate::error::{FEE_RATE_MAX_EXCEEDED, PROTOCOL_FEE_RATE_MAX_EXCEEDED};
use crate::keys::{MAX_FEE_RATE, MAX_PROTOCOL_FEE_RATE};
use sluice_program::bytes::{Reader, Writer};
use sluice_program::{anchor, Account, Address, Result};

const CONFIG_TAG: [u8; 8] = anchor::account("WhirlpoolsConfig");
pub const CONFIG_LEN: usize = 108;
const FEE_TIER_TAG: [u8; 8] = anchor::account("FeeTier");
pub const FEE_TIER_LEN: usize = 44;

/// The authorities and defaults of a set of pools.
pub struct Config {
    pub fee_authority: Address,
    pub collect_protocol_fees_authority: Address,
    pub reward_emissions_super_authority: Address,
    pub default_protocol_fee_rate: u16,
}

impl Config {
    /// Reads the account. Fails with an error of Anchor's unless it is a configuration.
    #[inline(never)]
    pub fn load(account: Account, name: &str) -> Result<Self> {
        let data = load(account, &CONFIG_TAG, CONFIG_LEN, name)?;
        Self::read(&mut Reader::new(&data[8..])).ok_or_else(|| anchor::ACCOUNT_DID_NOT_DESERIALIZE.of(name))
    }

    /// Returns None if the bytes are cut short.
    pub fn read(reader: &mut Reader) -> Option<Self> {
        Some(Self {
            fee_authority: reader.address()?,
            collect_protocol_fees_authority: reader.address()?,
            reward_emissions_super_authority: reader.address()?,
            default_protocol_fee_rate: reader.u16()?,
        })
    }

    /// Writes all fields into zeroed data. Fails with ProtocolFeeRateMaxExceeded above 25 %.
    pub fn encode(&self, data: &mut [u8]) -> Result {
        if self.default_protocol_fee_rate > MAX_PROTOCOL_FEE_RATE {
            return Err(PROTOCOL_FEE_RATE_MAX_EXCEEDED.into());
        }
        let mut writer = Writer::new(data);
        writer.array(&CONFIG_TAG)?;
        writer.address(&self.fee_authority)?;
        writer.address(&self.collect_protocol_fees_authority)?;
        writer.address(&self.reward_emissions_super_authority)?;
        writer.u16(self.default_protocol_fee_rate)
    }
}

/// The initial fee rate of pools with a tick spacing.
pub struct FeeTier {
    pub config: Address,
    pub tick_spacing: u16,
    pub default_fee_rate: u16,
}

impl FeeTier {
    /// Reads the account. Fails with an error of Anchor's unless it is a fee tier.
    #[inline(never)]
    pub fn load(account: Account, name: &str) -> Result<Self> {
        let data = load(account, &FEE_TIER_TAG, FEE_TIER_LEN, name)?;
        Self::read(&mut Reader::new(&data[8..])).ok_or_else(|| anchor::ACCOUNT_DID_NOT_DESERIALIZE.of(name))
    }

    fn read(reader: &mut Reader) -> Option<Self> {
        Some(Self { config: reader.address()?, tick_spacing: reader.u16()?, default_fee_rate: reader.u16()? })
    }

    /// Writes all fields into zeroed data. Fails with FeeRateMaxExceeded above 6 %.
    pub fn encode(&self, data: &mut [u8]) -> Result {
        if self.default_fee_rate > MAX_FEE_RATE {
            return Err(FEE_RATE_MAX_EXCEEDED.into());
        }
        let mut writer = Writer::new(data);
        writer.array(&FEE_TIER_TAG)?;
        writer.address(&self.config)?;
        writer.u16(self.tick_spacing)?;
        writer.u16(self.default_fee_rate)
    }
}
