//! The pool of a launch.

use super::fees::Volatility;
use crate::keys::PROGRAM;
use sluice_program::{layout, Account, Address, Result};

/// The stages of a migration.
pub const PRE_BONDING_CURVE: u8 = 0;
pub const POST_BONDING_CURVE: u8 = 1;
pub const LOCKED_VESTING: u8 = 2;
pub const CREATED_POOL: u8 = 3;

layout! {
    /// The pool of a launch. Pairs are those of the base and of the quote token.
    pub struct VirtualPool = "VirtualPool" {
        pub volatility: Volatility,
        pub config: Address,
        pub creator: Address,
        pub base_mint: Address,
        pub vaults: [Address; 2],
        pub reserves: [u64; 2],
        pub protocol_fees: [u64; 2],
        pub partner_fees: [u64; 2],
        pub sqrt_price: u128,
        pub activation_point: u64,
        pub pool_type: u8,
        pub is_migrated: u8,
        pub is_partner_withdraw_surplus: u8,
        pub is_protocol_withdraw_surplus: u8,
        pub migration_progress: u8,
        pub is_withdraw_leftover: u8,
        pub is_creator_withdraw_surplus: u8,
        /// Bit 1 is the creator's withdrawal, bit 2 the partner's.
        pub migration_fee_withdraw_status: u8,
        pub total_protocol_fees: [u64; 2],
        pub total_trading_fees: [u64; 2],
        /// The Unix time at which the curve was sold out.
        pub finish_curve_timestamp: u64,
        pub creator_fees: [u64; 2],
        pub legacy_creation_fee_bits: u8,
        pub creation_fee_bits: u8,
        pub has_swap: u8,
        pub padding_0: [u8; 5],
        pub protocol_migration_fee_bps: u16,
        pub padding_1: [u8; 6],
        pub protocol_migration_fees: [u64; 2],
        pub padding_2: [u64; 3],
    }
}

impl VirtualPool {
    /// Reads a pool. Fails with an error of Anchor's unless the account is one.
    #[inline(never)]
    pub fn load(account: Account, name: &str) -> Result<Self> {
        layout::load_zero_copy(account, &PROGRAM, name)
    }

    /// Writes the pool.
    #[inline(never)]
    pub fn save(&self, account: Account) -> Result {
        layout::store(self, account)
    }
}
