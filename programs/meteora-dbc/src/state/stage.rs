//! How far a pool is, and what of its vaults belongs to whom.

use super::config::PoolConfig;
use super::pool::{VirtualPool, CREATED_POOL};
use crate::error::{MATH_OVERFLOW, TYPE_CAST_FAILED};
use sluice_program::Result;

impl VirtualPool {
    /// Returns whether the curve raised its threshold.
    pub fn is_complete(&self, config: &PoolConfig) -> bool {
        self.reserves[1] >= config.migration_quote_threshold
    }

    /// Returns the stage of the migration. Fails with TypeCastFailed if it is unknown.
    pub fn progress(&self) -> Result<u8> {
        if self.migration_progress > CREATED_POOL {
            return Err(TYPE_CAST_FAILED.into());
        }
        Ok(self.migration_progress)
    }

    /// Returns the fees in base tokens that nobody has claimed. Fails with MathOverflow if they exceed u64.
    pub fn unclaimed_base_fees(&self) -> Result<u64> {
        let fees = [self.partner_fees[0], self.protocol_fees[0], self.creator_fees[0]];
        let sum = fees.into_iter().try_fold(0u64, |sum, fee| sum.checked_add(fee));
        sum.ok_or_else(|| MATH_OVERFLOW.into())
    }
}
