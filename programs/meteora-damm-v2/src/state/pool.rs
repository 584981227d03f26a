//! The pool account.

use super::{load, put_u128, put_u256, put_u64, read_u256};
use crate::error::{INVALID_COLLECT_FEE_MODE, INVALID_POOL_VERSION, MATH_OVERFLOW, TYPE_CAST_FAILED};
use crate::fees::base::BaseFee;
use crate::fees::dynamic::PoolDynamicFee;
use crate::keys::MAX_FEES;
use crate::liquidity;
use sluice_program::bytes::{self, Reader};
use sluice_program::wide::U256;
use sluice_program::{anchor, Account, Address, AnchorError, Result};

pub const TAG: [u8; 8] = anchor::account("Pool");
pub const LEN: usize = 1112;

/// Offsets of the fields that instructions change. Pairs are those of token A and token B.
pub const LIQUIDITY: usize = 360;
pub const PROTOCOL_FEES: [usize; 2] = [392, 400];
pub const SQRT_PRICE: usize = 456;
pub const FEE_PER_LIQUIDITY: [usize; 2] = [488, 520];
pub const PERMANENTLY_LOCKED: usize = 552;
pub const TOTAL_LP_FEES: [usize; 2] = [568, 584];
pub const TOTAL_PROTOCOL_FEES: [usize; 2] = [600, 608];
pub const POSITIONS: usize = 632;
pub const AMOUNTS: [usize; 2] = [680, 688];
pub const LAYOUT_VERSION: usize = 696;

/// The token in which a pool takes its fees.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum CollectFeeMode {
    /// The output token.
    Output,
    TokenB,
    /// Token B. A part of the fee stays in the reserves, which determine the price over the whole range.
    Compounding,
}

impl CollectFeeMode {
    /// Fails with `otherwise` if the mode is unknown.
    pub fn of(byte: u8, otherwise: AnchorError) -> Result<Self> {
        match byte {
            0 => Ok(Self::Output),
            1 => Ok(Self::TokenB),
            2 => Ok(Self::Compounding),
            _ => Err(otherwise.into()),
        }
    }

    /// Fails with InvalidCollectFeeMode if the mode is unknown.
    pub fn of_argument(byte: u8) -> Result<Self> {
        Self::of(byte, INVALID_COLLECT_FEE_MODE)
    }
}

/// The fields of a pool.
pub struct Pool {
    pub base_fee: BaseFee,
    pub protocol_fee_percent: u8,
    pub referral_fee_percent: u8,
    pub compounding_bps: u16,
    pub dynamic_fee: PoolDynamicFee,
    pub init_sqrt_price: u128,
    pub mints: [Address; 2],
    pub vaults: [Address; 2],
    pub whitelisted_vault: Address,
    pub liquidity: u128,
    pub protocol_fees: [u64; 2],
    pub sqrt_min_price: u128,
    pub sqrt_max_price: u128,
    pub sqrt_price: u128,
    pub activation_point: u64,
    pub activation_type: u8,
    pub status: u8,
    pub collect_fee_mode: u8,
    pub fee_version: u8,
    pub fee_per_liquidity: [U256; 2],
    /// The liquidity that can never be removed.
    pub permanently_locked: u128,
    pub total_lp_fees: [u128; 2],
    pub total_protocol_fees: [u64; 2],
    pub positions: u64,
    /// The reserves, if the layout has the present version.
    pub amounts: [u64; 2],
    pub layout_version: u8,
}

impl Pool {
    /// Reads a pool. Fails with an error of Anchor's unless the account is one.
    #[inline(never)]
    pub fn load(account: Account, name: &str) -> Result<Self> {
        let data = load(account, &TAG, LEN, name)?;
        Self::decode(&data).ok_or_else(|| anchor::ACCOUNT_DID_NOT_DESERIALIZE.of(name))
    }

    /// Returns None if the bytes are cut short.
    #[inline(never)]
    pub fn decode(data: &[u8]) -> Option<Self> {
        let reader = &mut Reader::new(data.get(8..)?);
        let base_fee = BaseFee { bytes: *reader.array()? };
        reader.bytes(8)?;
        let protocol_fee_percent = reader.u8()?;
        reader.u8()?;
        let referral_fee_percent = reader.u8()?;
        reader.bytes(3)?;
        let compounding_bps = reader.u16()?;
        let dynamic_fee = PoolDynamicFee::read(reader)?;
        let init_sqrt_price = reader.u128()?;
        let mints = [reader.address()?, reader.address()?];
        let vaults = [reader.address()?, reader.address()?];
        let whitelisted_vault = reader.address()?;
        reader.bytes(32)?;
        let liquidity = reader.u128()?;
        reader.bytes(16)?;
        let protocol_fees = [reader.u64()?, reader.u64()?];
        reader.bytes(16)?;
        let [sqrt_min_price, sqrt_max_price, sqrt_price] = [reader.u128()?, reader.u128()?, reader.u128()?];
        let activation_point = reader.u64()?;
        let [activation_type, status, _, _] = *reader.array()?;
        let [collect_fee_mode, _, fee_version, _] = *reader.array()?;
        let fee_per_liquidity = [read_u256(reader)?, read_u256(reader)?];
        let permanently_locked = reader.u128()?;
        let total_lp_fees = [reader.u128()?, reader.u128()?];
        let total_protocol_fees = [reader.u64()?, reader.u64()?];
        reader.bytes(16)?;
        let positions = reader.u64()?;
        reader.bytes(8 + 32)?;
        let amounts = [reader.u64()?, reader.u64()?];
        let layout_version = reader.u8()?;
        Some(Self {
            base_fee,
            protocol_fee_percent,
            referral_fee_percent,
            compounding_bps,
            dynamic_fee,
            init_sqrt_price,
            mints,
            vaults,
            whitelisted_vault,
            liquidity,
            protocol_fees,
            sqrt_min_price,
            sqrt_max_price,
            sqrt_price,
            activation_point,
            activation_type,
            status,
            collect_fee_mode,
            fee_version,
            fee_per_liquidity,
            permanently_locked,
            total_lp_fees,
            total_protocol_fees,
            positions,
            amounts,
            layout_version,
        })
    }

    /// Writes the fields that instructions change.
    #[inline(never)]
    pub fn save(&self, account: Account) -> Result {
        let data = &mut account.data_mut()?;
        self.dynamic_fee.save(data)?;
        put_u128(data, LIQUIDITY, self.liquidity)?;
        put_u128(data, SQRT_PRICE, self.sqrt_price)?;
        for side in [0, 1] {
            put_u64(data, PROTOCOL_FEES[side], self.protocol_fees[side])?;
            put_u256(data, FEE_PER_LIQUIDITY[side], &self.fee_per_liquidity[side])?;
            put_u128(data, TOTAL_LP_FEES[side], self.total_lp_fees[side])?;
            put_u64(data, TOTAL_PROTOCOL_FEES[side], self.total_protocol_fees[side])?;
            put_u64(data, AMOUNTS[side], self.amounts[side])?;
        }
        put_u64(data, POSITIONS, self.positions)?;
        bytes::put(data, LAYOUT_VERSION, &[self.layout_version])
    }

    /// Fails with TypeCastFailed if the mode is unknown.
    pub fn collect_fee_mode(&self) -> Result<CollectFeeMode> {
        CollectFeeMode::of(self.collect_fee_mode, TYPE_CAST_FAILED)
    }

    /// Returns the maximum fee rate of a swap, in billionths.
    pub fn max_fee(&self) -> Result<u64> {
        MAX_FEES.get(self.fee_version as usize).copied().ok_or_else(|| INVALID_POOL_VERSION.into())
    }

    /// Computes the reserves of a pool that was created before pools stored them.
    #[inline(never)]
    pub fn update_layout(&mut self) -> Result {
        match self.layout_version {
            0 => {
                self.amounts = liquidity::reserves(self)?;
                self.layout_version = 1;
                Ok(())
            }
            1 => Ok(()),
            _ => Err(TYPE_CAST_FAILED.into()),
        }
    }

    /// Adds to the reserves. Fails with MathOverflow if a sum exceeds u64.
    pub fn add_amounts(&mut self, amounts: [u64; 2]) -> Result {
        for (held, amount) in self.amounts.iter_mut().zip(amounts) {
            *held = held.checked_add(amount).ok_or(MATH_OVERFLOW)?;
        }
        Ok(())
    }

    /// Subtracts from the reserves. Fails with MathOverflow if a difference is below zero.
    pub fn take_amounts(&mut self, amounts: [u64; 2]) -> Result {
        for (held, amount) in self.amounts.iter_mut().zip(amounts) {
            *held = held.checked_sub(amount).ok_or(MATH_OVERFLOW)?;
        }
        Ok(())
    }
}
