//! The configuration of launches.

use super::fees::PoolFees;
use super::vesting::{LiquidityVesting, LockedVesting};
use crate::error::{require, INVALID_MIGRATION_LOCKED_LIQUIDITY};
use crate::keys::PROGRAM;
use sluice_program::bytes::{Reader, Writer};
use sluice_program::layout::{Field, Layout};
use sluice_program::{anchor, layout, Account, Address, ProgramError, Result};

/// The number of points that the account has room for.
pub const ROOM_OF_CURVE: usize = 20;
/// What a curve becomes.
pub const DAMM_V1: u8 = 0;
pub const DAMM_V2: u8 = 1;
/// The token in which fees are taken. The last mode is one of migrated pools only.
pub const QUOTE_TOKEN: u8 = 0;
pub const OUTPUT_TOKEN: u8 = 1;
pub const COMPOUNDING: u8 = 2;
/// The token program of the base token.
pub const SPL_TOKEN: u8 = 0;
pub const TOKEN_2022: u8 = 1;
/// The migration fee option with which the partner chooses the migrated pool's fees.
pub const CUSTOMIZABLE: u8 = 6;

layout! {
    /// A part of the curve: the liquidity up to a price.
    #[derive(Clone, Copy, Default)]
    pub struct Point {
        pub sqrt_price: u128,
        pub liquidity: u128,
    }
}

layout! {
    /// The terms under which anybody creates pools. The curve is read and written apart from them, because the target
    /// cannot move that many bytes at once.
    pub struct PoolConfig = "PoolConfig" {
        pub quote_mint: Address,
        /// The partner.
        pub fee_claimer: Address,
        pub leftover_receiver: Address,
        pub fees: PoolFees,
        pub partner_liquidity_vesting: LiquidityVesting,
        pub creator_liquidity_vesting: LiquidityVesting,
        pub padding_0: [u8; 16],
        pub collect_fee_mode: u8,
        pub migration_option: u8,
        pub activation_type: u8,
        pub token_decimals: u8,
        pub version: u8,
        pub token_type: u8,
        pub quote_token_flag: u8,
        pub partner_permanent_locked_liquidity_percentage: u8,
        pub partner_liquidity_percentage: u8,
        pub creator_permanent_locked_liquidity_percentage: u8,
        pub creator_liquidity_percentage: u8,
        pub migration_fee_option: u8,
        pub fixed_token_supply_flag: u8,
        pub creator_trading_fee_percentage: u8,
        pub token_update_authority: u8,
        pub migration_fee_percentage: u8,
        pub creator_migration_fee_percentage: u8,
        pub padding_2: [u8; 7],
        pub swap_base_amount: u64,
        pub migration_quote_threshold: u64,
        pub migration_base_threshold: u64,
        pub migration_sqrt_price: u128,
        pub locked_vesting: LockedVesting,
        pub pre_migration_token_supply: u64,
        pub post_migration_token_supply: u64,
        pub migrated_collect_fee_mode: u8,
        pub migrated_dynamic_fee: u8,
        pub migrated_pool_fee_bps: u16,
        pub migrated_pool_base_fee_mode: u8,
        pub enable_first_swap_with_min_fee: u8,
        pub migrated_compounding_fee_bps: u16,
        pub pool_creation_fee: u64,
        /// The schedule of the migrated pool's fee by its price.
        pub migrated_pool_base_fee: [u8; 16],
        pub sqrt_start_price: u128,
    }
}

/// The parts of the curve, which follow the other fields.
pub type Curve = [Point; ROOM_OF_CURVE];
/// The length of the account with the curve.
pub const LEN: usize = CURVE + Curve::LEN;
const CURVE: usize = PoolConfig::SPACE;

impl PoolConfig {
    /// Reads a configuration. Fails with an error of Anchor's unless the account is one.
    #[inline(never)]
    pub fn load(account: Account, name: &str) -> Result<Self> {
        layout::load_zero_copy(account, &PROGRAM, name)
    }

    /// Returns whether the supply was set by the partner, and not computed from the curve.
    pub fn has_fixed_supply(&self) -> bool {
        self.fixed_token_supply_flag == 1
    }

    /// Fails with InvalidMigrationLockedLiquidity unless at least a tenth of the migrated liquidity is still locked
    /// after a day.
    #[inline(never)]
    pub fn check_locked_liquidity(&self) -> Result {
        const DAY: u64 = 86_400;
        const MINIMUM_BPS: u16 = 1_000;
        let partner = self.partner_liquidity_vesting.locked_bps_after(DAY)?;
        let creator = self.creator_liquidity_vesting.locked_bps_after(DAY)?;
        let forever = [
            self.partner_permanent_locked_liquidity_percentage,
            self.creator_permanent_locked_liquidity_percentage,
        ];
        let locked = forever.iter().fold(partner + creator, |sum, percentage| sum + *percentage as u16 * 100);
        require(locked >= MINIMUM_BPS, INVALID_MIGRATION_LOCKED_LIQUIDITY)
    }
}

/// Reads the curve of a configuration that was checked by [`PoolConfig::load`].
#[inline(never)]
pub fn load_curve(account: Account) -> Result<Curve> {
    let data = account.data()?;
    let curve = data.get(CURVE..).and_then(|rest| Curve::read(&mut Reader::new(rest)));
    curve.ok_or_else(|| anchor::ACCOUNT_DID_NOT_DESERIALIZE.of("config"))
}

/// Returns the parts that are in use. The first one without liquidity ends the curve.
pub fn parts_in_use(curve: &Curve) -> &[Point] {
    let len = curve.iter().position(|point| point.liquidity == 0).unwrap_or(ROOM_OF_CURVE);
    &curve[..len]
}

/// Writes a new configuration with its curve.
#[inline(never)]
pub fn store(config: &PoolConfig, curve: &Curve, account: Account) -> Result {
    layout::store(config, account)?;
    let data = &mut account.data_mut()?;
    let rest = data.get_mut(CURVE..).ok_or(ProgramError::ACCOUNT_DATA_TOO_SMALL)?;
    Curve::write(curve, &mut Writer::new(rest))
}
