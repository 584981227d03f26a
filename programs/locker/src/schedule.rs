//! When the tokens of an escrow unlock.

use crate::error::{
    FREQUENCY_IS_ZERO, INVALID_CANCEL_MODE, INVALID_UPDATE_RECIPIENT_MODE, INVALID_VESTING_START_TIME,
    MATH_OVERFLOW,
};
use sluice_program::math::checked_mul;
use sluice_program::{layout, Result};

layout! {
    /// What an escrow is created with. Times are Unix seconds, amounts are atoms.
    pub struct Terms {
        pub start: u64,
        /// The second in which the first part unlocks.
        pub cliff: u64,
        /// The seconds between two of the equal parts that follow the first one.
        pub frequency: u64,
        pub cliff_amount: u64,
        pub period_amount: u64,
        pub periods: u64,
        pub update_recipient_mode: u8,
        pub cancel_mode: u8,
    }
}

/// The modes say who may do something: nobody, the creator, the recipient, or both of them.
pub const CREATOR: u8 = 1;
pub const RECIPIENT: u8 = 2;
const LAST_MODE: u8 = CREATOR | RECIPIENT;

impl Terms {
    /// Fails with InvalidVestingStartTime, InvalidUpdateRecipientMode, InvalidCancelMode or FrequencyIsZero.
    pub fn check(&self) -> Result {
        if self.cliff < self.start {
            return Err(INVALID_VESTING_START_TIME.into());
        }
        if self.update_recipient_mode > LAST_MODE {
            return Err(INVALID_UPDATE_RECIPIENT_MODE.into());
        }
        if self.cancel_mode > LAST_MODE {
            return Err(INVALID_CANCEL_MODE.into());
        }
        if self.period_amount > 0 && self.periods > 0 && self.frequency == 0 {
            return Err(FREQUENCY_IS_ZERO.into());
        }
        Ok(())
    }

    /// Returns all that ever unlocks. Fails with MathOverflow beyond u64.
    pub fn total(&self) -> Result<u64> {
        sum_parts(self.cliff_amount, self.period_amount, self.periods)
    }
}

/// Returns the first part and `periods` of the equal ones. Fails with MathOverflow beyond u64.
#[inline(never)]
pub fn sum_parts(cliff_amount: u64, period_amount: u64, periods: u64) -> Result<u64> {
    checked_mul(period_amount, periods)
        .and_then(|later| cliff_amount.checked_add(later))
        .ok_or_else(|| MATH_OVERFLOW.into())
}
