//! The configuration of DAMM v2 under which the new pool is created.

use crate::activation::SECOND;
use crate::error::{
    require, INVALID_CONFIG_ACCOUNT, INVALID_MIGRATION_FEE_OPTION, TYPE_CAST_FAILED, UNDETERMINED_ERROR,
};
use crate::keys::{AUTHORITY, BPS, DAMM_V2_PROGRAM, FEE_DENOMINATOR, MAX_SQRT_PRICE, MIN_SQRT_PRICE};
use crate::state::config::CUSTOMIZABLE;
use sluice_program::bytes::Reader;
use sluice_program::{anchor, Account, Address, Result};

const TAG: [u8; 8] = anchor::account("Config");
/// The fees of the options below [`CUSTOMIZABLE`], in 10,000ths.
const FEES_OF_OPTIONS: [u64; 6] = [25, 30, 100, 200, 400, 600];
/// The last mode of a base fee in DAMM v2, and the last of those that fall with time.
const LAST_MODE: u8 = 4;
const LAST_MODE_BY_TIME: u8 = 1;

/// The fields that decide whether a migration may use the configuration.
struct DammConfig {
    vault_base: Address,
    creator_authority: Address,
    cliff: u64,
    mode: u8,
    periods: u16,
    frequency: u64,
    reduction: u64,
    activation_type: u8,
    sqrt_prices: [u128; 2],
}

/// Fails unless pools of the fee option may be created under the configuration, by nobody but the pools' authority.
#[inline(never)]
pub fn check(account: Account, option: u8) -> Result {
    let config = load(account)?;
    if option < CUSTOMIZABLE {
        config.check_fixed(option)?;
    }
    require(config.creator_authority == AUTHORITY, INVALID_CONFIG_ACCOUNT)
}

#[inline(never)]
fn load(account: Account) -> Result<DammConfig> {
    let data = anchor::load_zero_copy(account, &DAMM_V2_PROGRAM, &TAG, "config")?;
    DammConfig::decode(&data).ok_or_else(|| anchor::ACCOUNT_DID_NOT_DESERIALIZE.of("config"))
}

impl DammConfig {
    fn decode(data: &[u8]) -> Option<Self> {
        let from = &mut Reader::new(data.get(8..)?);
        let [vault_base, creator_authority] = [from.address()?, from.address()?];
        let cliff = from.u64()?;
        let mode = from.u8()?;
        from.bytes(5)?;
        let periods = from.u16()?;
        let [frequency, reduction] = [from.u64()?, from.u64()?];
        // The dynamic fee, the shares of protocol, referrer and compounding, and reserved bytes.
        from.bytes(48 + 8 + 40)?;
        let activation_type = from.u8()?;
        from.bytes(2 + 5 + 8)?;
        let sqrt_prices = [from.u128()?, from.u128()?];
        Some(Self {
            vault_base,
            creator_authority,
            cliff,
            mode,
            periods,
            frequency,
            reduction,
            activation_type,
            sqrt_prices,
        })
    }

    /// Checks what the account must contain for an option that names only a fee.
    #[inline(never)]
    fn check_fixed(&self, option: u8) -> Result {
        require(self.mode <= LAST_MODE, TYPE_CAST_FAILED)?;
        require(self.mode <= LAST_MODE_BY_TIME, INVALID_CONFIG_ACCOUNT)?;
        let is_constant = self.frequency == 0 && self.reduction == 0 && self.periods == 0;
        let fee_bps = self.cliff / (FEE_DENOMINATOR / BPS);
        require(is_constant, INVALID_CONFIG_ACCOUNT)?;
        let expected = FEES_OF_OPTIONS.get(option as usize).ok_or(UNDETERMINED_ERROR)?;
        require(fee_bps == *expected, INVALID_MIGRATION_FEE_OPTION)?;
        let is_whole_range = self.sqrt_prices == [MIN_SQRT_PRICE, MAX_SQRT_PRICE];
        require(is_whole_range && self.vault_base == Address::ZERO, INVALID_CONFIG_ACCOUNT)?;
        require(self.activation_type <= SECOND, TYPE_CAST_FAILED)?;
        require(self.activation_type == SECOND, INVALID_CONFIG_ACCOUNT)
    }
}
