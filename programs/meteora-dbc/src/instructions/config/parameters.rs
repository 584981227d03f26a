//! The arguments of `create_config`.

use crate::error::{require, INVALID_CURVE};
use crate::keys::{MAX_SQRT_PRICE, MIN_SQRT_PRICE};
use crate::state::config::{Curve, Point, PoolConfig, ROOM_OF_CURVE};
use crate::state::fees::{BaseFee, DynamicFee, PoolFees};
use crate::state::vesting::{LiquidityVesting, LockedVesting};
use sluice_program::bytes::Reader;
use sluice_program::layout::Field;
use sluice_program::{Address, Result};

/// The maximum number of parts of a new curve.
const MAX_PARTS: usize = 16;

/// The terms of a new configuration.
pub struct Terms {
    /// The configuration without its accounts and without what is computed from the arguments.
    pub config: PoolConfig,
    /// The fixed supply before and after the migration.
    pub supply: Option<[u64; 2]>,
    /// The number of bytes of the fees, which come first.
    pub fees_len: usize,
}

/// The parts of a new curve.
pub struct Parts {
    /// The parts without those that are too many.
    pub curve: Curve,
    /// The number in the arguments.
    len: usize,
}

impl Terms {
    /// Returns None if the bytes are cut short or invalid.
    #[inline(never)]
    pub fn read(from: &mut Reader) -> Option<Self> {
        let before = from.rest().len();
        let fees = read_fees(from)?;
        let fees_len = before - from.rest().len();
        let [collect_fee_mode, migration_option, activation_type, token_type, token_decimals] =
            *from.array()?;
        let [partner, partner_permanent, creator, creator_permanent] = *from.array()?;
        let migration_quote_threshold = from.u64()?;
        let sqrt_start_price = from.u128()?;
        let locked_vesting = LockedVesting {
            amount_per_period: from.u64()?,
            cliff_duration: from.u64()?,
            frequency: from.u64()?,
            periods: from.u64()?,
            cliff_amount: from.u64()?,
            padding: 0,
        };
        let migration_fee_option = from.u8()?;
        let supply = if from.bool()? { Some([from.u64()?, from.u64()?]) } else { None };
        let [creator_trading_fee_percentage, token_update_authority] = *from.array()?;
        let [migration_fee_percentage, creator_migration_fee_percentage] = *from.array()?;
        let [migrated_collect_fee_mode, migrated_dynamic_fee] = *from.array()?;
        let config = PoolConfig {
            quote_mint: Address::ZERO,
            fee_claimer: Address::ZERO,
            leftover_receiver: Address::ZERO,
            fees,
            padding_0: [0; 16],
            collect_fee_mode,
            migration_option,
            activation_type,
            token_decimals,
            version: 0,
            token_type,
            quote_token_flag: 0,
            partner_permanent_locked_liquidity_percentage: partner_permanent,
            partner_liquidity_percentage: partner,
            creator_permanent_locked_liquidity_percentage: creator_permanent,
            creator_liquidity_percentage: creator,
            migration_fee_option,
            fixed_token_supply_flag: 0,
            creator_trading_fee_percentage,
            token_update_authority,
            migration_fee_percentage,
            creator_migration_fee_percentage,
            padding_2: [0; 7],
            swap_base_amount: 0,
            migration_quote_threshold,
            migration_base_threshold: 0,
            migration_sqrt_price: 0,
            locked_vesting,
            pre_migration_token_supply: 0,
            post_migration_token_supply: 0,
            migrated_collect_fee_mode,
            migrated_dynamic_fee,
            migrated_pool_fee_bps: from.u16()?,
            pool_creation_fee: from.u64()?,
            partner_liquidity_vesting: read_liquidity_vesting(from)?,
            creator_liquidity_vesting: read_liquidity_vesting(from)?,
            migrated_pool_base_fee_mode: from.u8()?,
            migrated_pool_base_fee: *from.array()?,
            enable_first_swap_with_min_fee: from.bool()? as u8,
            migrated_compounding_fee_bps: from.u16()?,
            sqrt_start_price,
        };
        from.bytes(2)?;
        Some(Self { config, supply, fees_len })
    }
}

fn read_fees(from: &mut Reader) -> Option<PoolFees> {
    let cliff = from.u64()?;
    let first_factor = from.u16()?;
    let [second_factor, third_factor] = [from.u64()?, from.u64()?];
    let mode = from.u8()?;
    let base = BaseFee { cliff, second_factor, third_factor, first_factor, mode, padding: [0; 5] };
    let mut dynamic = DynamicFee {
        initialized: 0,
        padding: [0; 7],
        max_accumulator: 0,
        control: 0,
        bin_step: 0,
        filter_period: 0,
        decay_period: 0,
        reduction_bps: 0,
        padding_2: [0; 8],
        bin_step_q64: 0,
    };
    if from.bool()? {
        dynamic.initialized = 1;
        dynamic.bin_step = from.u16()?;
        dynamic.bin_step_q64 = from.u128()?;
        dynamic.filter_period = from.u16()?;
        dynamic.decay_period = from.u16()?;
        dynamic.reduction_bps = from.u16()?;
        dynamic.max_accumulator = from.u32()?;
        dynamic.control = from.u32()?;
    }
    Some(PoolFees { base, dynamic })
}

fn read_liquidity_vesting(from: &mut Reader) -> Option<LiquidityVesting> {
    let percentage = from.u8()?;
    let [bps_per_period, periods] = [from.u16()?, from.u16()?];
    let [cliff_duration, frequency] = [from.u32()?, from.u32()?];
    let is_set =
        percentage != 0 || bps_per_period != 0 || periods != 0 || cliff_duration != 0 || frequency != 0;
    Some(LiquidityVesting {
        initialized: is_set as u8,
        percentage,
        padding: [0; 2],
        bps_per_period,
        periods,
        frequency,
        cliff_duration,
    })
}

impl Parts {
    /// Returns None if the bytes are cut short.
    #[inline(never)]
    pub fn read(from: &mut Reader) -> Option<Self> {
        let mut curve = [Point::default(); ROOM_OF_CURVE];
        let len = from.u32()? as usize;
        let bytes = from.bytes(len.checked_mul(Point::LEN)?)?;
        let each = &mut Reader::new(bytes);
        for point in curve.iter_mut().take(len) {
            *point = Point::read(each)?;
        }
        Some(Self { curve, len })
    }

    /// Fails with InvalidCurve unless there are 1 to 16 parts with liquidity, whose prices rise from the start.
    #[inline(never)]
    pub fn check(&self, start: u128) -> Result {
        require(start >= MIN_SQRT_PRICE && start < MAX_SQRT_PRICE, INVALID_CURVE)?;
        require(self.len > 0 && self.len <= MAX_PARTS, INVALID_CURVE)?;
        let mut lower = start;
        for part in self.curve.iter().take(self.len) {
            require(part.sqrt_price > lower && part.liquidity > 0, INVALID_CURVE)?;
            lower = part.sqrt_price;
        }
        require(lower <= MAX_SQRT_PRICE, INVALID_CURVE)
    }
}
