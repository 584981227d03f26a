//! The clock and the rent. They are read from the runtime, so no account is needed.

use crate::error::{ProgramError, Result};
use crate::syscalls;

/// The time of the running slot.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct Clock {
    pub slot: u64,
    /// The Unix second in which the epoch started.
    pub epoch_start_timestamp: i64,
    pub epoch: u64,
    pub leader_schedule_epoch: u64,
    /// The Unix second of the slot.
    pub unix_timestamp: i64,
}

impl Clock {
    /// Reads the clock.
    pub fn get() -> Result<Self> {
        let mut clock = Self::default();
        // SAFETY: the runtime writes its Clock, which has this layout.
        ProgramError::check(unsafe { syscalls::sol_get_clock_sysvar((&raw mut clock).cast()) })?;
        Ok(clock)
    }
}

/// The rules of rent.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct Rent {
    lamports_per_byte_year: u64,
    /// The years of rent that exempt an account, as the bits of an IEEE 754 double.
    exemption_threshold: u64,
    burn_percent: u8,
}

const ONE_YEAR: u64 = 1f64.to_bits();
const TWO_YEARS: u64 = 2f64.to_bits();
/// The bytes that each account is charged in addition to its data.
const ACCOUNT_OVERHEAD: u64 = 128;

impl Rent {
    /// Reads the rent. Fails with UnsupportedSysvar if the threshold is neither one nor two years, because there is
    /// no floating point on chain.
    pub fn get() -> Result<Self> {
        let mut rent = Self::default();
        // SAFETY: the runtime writes its Rent, which has this layout.
        ProgramError::check(unsafe { syscalls::sol_get_rent_sysvar((&raw mut rent).cast()) })?;
        match rent.exemption_threshold {
            ONE_YEAR | TWO_YEARS => Ok(rent),
            _ => Err(ProgramError::UNSUPPORTED_SYSVAR),
        }
    }

    /// Returns the lamports that exempt an account with that much data from rent.
    pub fn minimum_balance(&self, data_len: usize) -> u64 {
        let bytes = ACCOUNT_OVERHEAD + data_len as u64;
        let years = if self.exemption_threshold == TWO_YEARS { 2 } else { 1 };
        crate::math::checked_mul(bytes, self.lamports_per_byte_year << (years - 1)).unwrap_or(u64::MAX)
    }
}
