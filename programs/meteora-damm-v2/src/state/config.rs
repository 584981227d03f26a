//! The configuration account.

use super::load;
use crate::fees::base::BaseFee;
use crate::instructions::parameters::{DynamicParameters, Fees};
use sluice_program::bytes::Reader;
use sluice_program::{anchor, Account, Address, Result};

const TAG: [u8; 8] = anchor::account("Config");
const LEN: usize = 328;

/// The terms under which any wallet, or one payer, creates pools.
pub struct Config {
    /// The base of the vault that may buy first, or zero if there is none.
    pub vault_base: Address,
    pub creator_authority: Address,
    pub fees: Fees,
    pub shares: [u8; 2],
    pub activation_type: u8,
    pub collect_fee_mode: u8,
    pub kind: u8,
    pub sqrt_prices: [u128; 2],
}

impl Config {
    /// Reads the account. Fails with an error of Anchor's unless it is a configuration.
    #[inline(never)]
    pub fn load(account: Account) -> Result<Self> {
        let data = load(account, &TAG, LEN, "config")?;
        Self::decode(&data).ok_or_else(|| anchor::ACCOUNT_DID_NOT_DESERIALIZE.of("config"))
    }

    fn decode(data: &[u8]) -> Option<Self> {
        let reader = &mut Reader::new(data.get(8..)?);
        let [vault_base, creator_authority] = [reader.address()?, reader.address()?];
        let base = BaseFee { bytes: *reader.array()? };
        let dynamic = Self::read_dynamic(reader)?;
        let protocol = reader.u8()?;
        reader.u8()?;
        let referral = reader.u8()?;
        reader.bytes(3)?;
        let compounding_bps = reader.u16()?;
        reader.bytes(40)?;
        let [activation_type, collect_fee_mode, kind] = *reader.array()?;
        reader.bytes(5 + 8)?;
        let sqrt_prices = [reader.u128()?, reader.u128()?];
        let fees = Fees { base, compounding_bps, dynamic };
        let shares = [protocol, referral];
        Some(Self {
            vault_base,
            creator_authority,
            fees,
            shares,
            activation_type,
            collect_fee_mode,
            kind,
            sqrt_prices,
        })
    }

    fn read_dynamic(reader: &mut Reader) -> Option<Option<DynamicParameters>> {
        let is_on = reader.u8()? != 0;
        reader.bytes(7)?;
        let [max_accumulator, control] = [reader.u32()?, reader.u32()?];
        let bin_step = reader.u16()?;
        let [filter_period, decay_period, reduction_bps] = [reader.u16()?, reader.u16()?, reader.u16()?];
        reader.bytes(8)?;
        let bin_step_q64 = reader.u128()?;
        let periods = [filter_period, decay_period, reduction_bps];
        Some(is_on.then_some(DynamicParameters { bin_step, bin_step_q64, periods, max_accumulator, control }))
    }
}
