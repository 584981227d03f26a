//! The settings.

use sluice_program::{anchor, layout, Account, Address, Result};

use crate::addresses::{CONFIG, PROGRAM};
use crate::errors::{INVALID_OPERATOR, INVALID_SCHEDULE};

pub const MAX_SCHEDULES: usize = 8;

layout! {
    /// How rounds of one feed and one length are opened.
    #[derive(Clone, Copy, Default)]
    pub struct Schedule {
        pub feed: Address,
        /// A text; the bytes that it does not need are 0.
        pub asset: [u8; 8],
        pub seconds: u32,
        /// What a round gets out of the reserve, in micro USD.
        pub funding: u64,
        /// Of the price, in millionths an hour.
        pub deviation: u32,
        /// Micro USD.
        pub half_spread: u32,
        /// Micro USD for each 1,000 tokens.
        pub slope: u32,
    }
}

layout! {
    /// The settings.
    pub struct Config = "ForecastConfig" {
        pub operator: Address,
        pub count: u8,
        pub schedules: [Schedule; MAX_SCHEDULES],
    }
}

impl Config {
    /// Reads the settings, and checks that the operator signs. Fails with ConstraintAddress for any other account, and with
    /// InvalidOperator for any other signer.
    #[inline(never)]
    pub fn load(account: Account, operator: Account) -> Result<Self> {
        anchor::check_address(account, &CONFIG, "config")?;
        let config: Self = layout::load(account, &PROGRAM, "config")?;
        anchor::check_signer(operator, "operator")?;
        if config.operator != *operator.address() {
            return Err(INVALID_OPERATOR.of("operator"));
        }
        Ok(config)
    }

    /// Returns the schedule at that place. Fails with InvalidSchedule if there is none.
    pub fn schedule(&self, index: u8) -> Result<&Schedule> {
        if index >= self.count {
            return Err(INVALID_SCHEDULE.into());
        }
        Ok(self.schedules.get(index as usize).ok_or(INVALID_SCHEDULE)?)
    }
}

impl Schedule {
    /// Fails with InvalidSchedule unless all numbers are in the ranges for which prices are computed without overflow, and
    /// the asset is a text.
    #[inline(never)]
    pub fn check(&self) -> Result {
        let len = self.asset.iter().take_while(|byte| **byte != 0).count();
        let (text, filling) = self.asset.split_at(len);
        let is_text =
            len > 0 && text.iter().all(u8::is_ascii_graphic) && filling.iter().all(|byte| *byte == 0);
        let is_valid = is_text
            && (self.seconds == 300 || self.seconds == 900)
            && (1..=1_000_000).contains(&self.deviation)
            && self.half_spread <= 490_000
            && self.slope <= 1_000_000_000;
        if is_valid {
            Ok(())
        } else {
            Err(INVALID_SCHEDULE.into())
        }
    }
}
