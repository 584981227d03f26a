//! The rate curve of a token.

use crate::error::UNSUPPORTED_RATE_VERSION;
use crate::keys::PROGRAM;
use crate::math::curve::{interpolate, Corner};
use crate::math::WHOLE;
use sluice_program::{layout, Account, Address, Result};

layout! {
    /// The corners of the rate curve.
    #[derive(Clone, Copy)]
    pub struct RateModel = "RateModel" {
        pub mint: Address,
        /// 0 before the rates are set, 1 with one kink, 2 with two.
        pub version: u8,
        pub rate_at_zero: u16,
        pub kink1: Corner,
        pub rate_at_max: u16,
        pub kink2: Corner,
    }
}

impl RateModel {
    /// Reads the account. Fails with an error of Anchor's unless it is a rate model.
    pub fn load(account: Account) -> Result<Self> {
        layout::load_zero_copy(account, &PROGRAM, "rate_model")
    }

    /// Writes the account.
    pub fn store(&self, account: Account) -> Result {
        layout::store(self, account)
    }

    /// Returns the rate at that utilization, both in 10,000ths. It may exceed the field in which it is stored.
    #[inline(never)]
    pub fn borrow_rate(&self, utilization: u16) -> Result<u64> {
        let start = Corner { utilization: 0, rate: self.rate_at_zero };
        let end = Corner { utilization: WHOLE as u16, rate: self.rate_at_max };
        let (from, to) = match self.version {
            1 if utilization < self.kink1.utilization => (start, self.kink1),
            1 => (self.kink1, end),
            2 if utilization < self.kink1.utilization => (start, self.kink1),
            2 if utilization < self.kink2.utilization => (self.kink1, self.kink2),
            2 => (self.kink2, end),
            _ => return Err(UNSUPPORTED_RATE_VERSION.into()),
        };
        interpolate(from, to, utilization as u64)
    }
}
