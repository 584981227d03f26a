//! The configuration account.

use sluice_program::bytes::{Reader, Writer};
use sluice_program::{anchor, Address, Result};

pub const TAG: [u8; 8] = anchor::account("AmmConfig");
pub const LEN: usize = 236;

/// A fee tier. Rates are in millionths; protocol and fund rates are shares of the trade fee.
#[derive(Clone, Copy)]
pub struct AmmConfig {
    pub bump: u8,
    pub disable_create_pool: bool,
    pub index: u16,
    pub trade_fee_rate: u64,
    pub protocol_fee_rate: u64,
    pub fund_fee_rate: u64,
    /// In lamports.
    pub create_pool_fee: u64,
    pub protocol_owner: Address,
    pub fund_owner: Address,
    pub creator_fee_rate: u64,
    /// The part of collected creator fees that the protocol keeps.
    pub creator_fee_share_rate: u64,
}

impl AmmConfig {
    /// Returns None if the data is too short or a flag is neither 0 nor 1. The discriminator is not checked.
    pub fn decode(data: &[u8]) -> Option<Self> {
        if data.len() < LEN {
            return None;
        }
        let mut reader = Reader::new(&data[8..]);
        Some(Self {
            bump: reader.u8()?,
            disable_create_pool: reader.bool()?,
            index: reader.u16()?,
            trade_fee_rate: reader.u64()?,
            protocol_fee_rate: reader.u64()?,
            fund_fee_rate: reader.u64()?,
            create_pool_fee: reader.u64()?,
            protocol_owner: reader.address()?,
            fund_owner: reader.address()?,
            creator_fee_rate: reader.u64()?,
            creator_fee_share_rate: reader.u64()?,
        })
    }

    /// Writes the discriminator and all fields. The padding is not changed.
    pub fn encode(&self, data: &mut [u8]) -> Result {
        let mut writer = Writer::new(data);
        writer.array(&TAG)?;
        writer.u8(self.bump)?;
        writer.u8(self.disable_create_pool as u8)?;
        writer.u16(self.index)?;
        writer.u64(self.trade_fee_rate)?;
        writer.u64(self.protocol_fee_rate)?;
        writer.u64(self.fund_fee_rate)?;
        writer.u64(self.create_pool_fee)?;
        writer.address(&self.protocol_owner)?;
        writer.address(&self.fund_owner)?;
        writer.u64(self.creator_fee_rate)?;
        writer.u64(self.creator_fee_share_rate)
    }
}
