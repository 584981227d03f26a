//! The account of a pool's adaptive fee.

use super::load;
use crate::keys::PROGRAM;
use sluice_program::bytes::{self, Reader};
use sluice_program::{anchor, system, Account, Address, Result};

const TAG: [u8; 8] = anchor::account("Oracle");
const LEN: usize = 254;
const WHIRLPOOL: usize = 8;
const VARIABLES: usize = 82;

/// The constants with which a pool's fee follows volatility. Times are in seconds.
#[derive(Clone, Copy)]
pub struct Constants {
    pub filter_period: u16,
    pub decay_period: u16,
    pub reduction_factor: u16,
    pub control_factor: u32,
    pub max_volatility: u32,
    pub tick_group_size: u16,
    pub major_swap_ticks: u16,
}

/// The values that swaps store. Volatility is a number of tick groups times 10,000.
#[derive(Clone, Copy)]
pub struct Variables {
    pub reference_updated_at: u64,
    pub major_swap_at: u64,
    pub volatility_reference: u32,
    pub tick_group_reference: i32,
    pub volatility: u32,
}

/// The account that exists beside a pool with an adaptive fee.
#[derive(Clone, Copy)]
pub struct Oracle {
    pub trade_enabled_at: u64,
    pub constants: Constants,
    pub variables: Variables,
}

impl Oracle {
    /// Reads the account. Returns None if it was never created, which means that the pool's fee is fixed.
    #[inline(never)]
    pub fn load(account: Account, pool: &Address) -> Result<Option<Self>> {
        if account.is_owned_by(&system::PROGRAM) && account.data_len() == 0 {
            return Ok(None);
        }
        anchor::check_owner(account, &[PROGRAM], "oracle")?;
        let data = load(account, &TAG, LEN, "oracle")?;
        if bytes::address_at(&data, WHIRLPOOL) != Some(*pool) {
            return Err(anchor::CONSTRAINT_SEEDS.of("oracle"));
        }
        let oracle = Self::read(&mut Reader::new(&data[WHIRLPOOL + 32..]));
        oracle.map(Some).ok_or_else(|| anchor::ACCOUNT_DID_NOT_DESERIALIZE.of("oracle"))
    }

    fn read(reader: &mut Reader) -> Option<Self> {
        let trade_enabled_at = reader.u64()?;
        let constants = Constants {
            filter_period: reader.u16()?,
            decay_period: reader.u16()?,
            reduction_factor: reader.u16()?,
            control_factor: reader.u32()?,
            max_volatility: reader.u32()?,
            tick_group_size: reader.u16()?,
            major_swap_ticks: reader.u16()?,
        };
        reader.bytes(16)?;
        let variables = Variables {
            reference_updated_at: reader.u64()?,
            major_swap_at: reader.u64()?,
            volatility_reference: reader.u32()?,
            tick_group_reference: reader.u32()? as i32,
            volatility: reader.u32()?,
        };
        Some(Self { trade_enabled_at, constants, variables })
    }
}

impl Variables {
    /// Writes the variables. Fails with Anchor's ConstraintMut if the account is not writable.
    #[inline(never)]
    pub fn save(&self, account: Account) -> Result {
        if !account.is_writable() {
            return Err(anchor::ACCOUNT_NOT_MUTABLE.of("oracle"));
        }
        let data = &mut account.data_mut()?[..];
        bytes::put(data, VARIABLES, &self.reference_updated_at.to_le_bytes())?;
        bytes::put(data, VARIABLES + 8, &self.major_swap_at.to_le_bytes())?;
        bytes::put(data, VARIABLES + 16, &self.volatility_reference.to_le_bytes())?;
        bytes::put(data, VARIABLES + 20, &self.tick_group_reference.to_le_bytes())?;
        bytes::put(data, VARIABLES + 24, &self.volatility.to_le_bytes())
    }
}
