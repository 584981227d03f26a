//! The pool account.

use super::{load, put_u128, REWARDS};
use crate::error::INVALID_TIMESTAMP;
use crate::keys::POOL_SEED;
use sluice_program::bytes::{self, Reader, Writer};
use sluice_program::cpi::Signers;
use sluice_program::{anchor, wide, Account, Address, Result};

pub const TAG: [u8; 8] = anchor::account("Whirlpool");
pub const LEN: usize = 653;

/// The offset of the flags, which follow the second reward's mint and vault. They are valid if the 32 bytes after the
/// third's are zero.
const FLAGS: usize = REWARD_INFOS + REWARD_LEN + 64;
const NO_FLAGS: usize = FLAGS + REWARD_LEN;

/// Offsets of the fields that instructions change. Pairs are those of token A and token B.
const LIQUIDITY: usize = 49;
const SQRT_PRICE: usize = 65;
const TICK: usize = 81;
const PROTOCOL_FEES: [usize; 2] = [85, 93];
const FEE_GROWTH: [usize; 2] = [165, 245];
const REWARDS_UPDATED_AT: usize = 261;
const REWARD_INFOS: usize = 269;
const REWARD_GROWTH: usize = REWARD_INFOS + 112;
const REWARD_LEN: usize = 128;

/// The state of one reward.
#[derive(Clone, Copy)]
pub struct Reward {
    pub initialized: bool,
    /// Atoms per second, in Q64.64.
    pub emissions: u128,
    pub growth: u128,
}

/// The fields of a pool.
pub struct Pool {
    pub config: Address,
    pub bump: u8,
    pub tick_spacing: u16,
    pub fee_tier_index: u16,
    pub fee_rate: u16,
    pub protocol_fee_rate: u16,
    pub liquidity: u128,
    pub sqrt_price: u128,
    pub tick: i32,
    pub protocol_fees: [u64; 2],
    pub mints: [Address; 2],
    pub vaults: [Address; 2],
    pub fee_growth: [u128; 2],
    pub rewards_updated_at: u64,
    pub rewards: [Reward; REWARDS],
}

impl Pool {
    /// Reads a pool. Fails with an error of Anchor's unless the account is one.
    #[inline(never)]
    pub fn load(account: Account, name: &str) -> Result<Self> {
        let data = load(account, &TAG, LEN, name)?;
        Self::read(&mut Reader::new(&data[8..])).ok_or_else(|| anchor::ACCOUNT_DID_NOT_DESERIALIZE.of(name))
    }

    fn read(reader: &mut Reader) -> Option<Self> {
        let config = reader.address()?;
        let bump = reader.u8()?;
        let [tick_spacing, fee_tier_index, fee_rate, protocol_fee_rate] =
            [reader.u16()?, reader.u16()?, reader.u16()?, reader.u16()?];
        let [liquidity, sqrt_price] = [reader.u128()?, reader.u128()?];
        let tick = reader.u32()? as i32;
        let protocol_fees = [reader.u64()?, reader.u64()?];
        let (mint_a, vault_a, growth_a) = (reader.address()?, reader.address()?, reader.u128()?);
        let (mint_b, vault_b, growth_b) = (reader.address()?, reader.address()?, reader.u128()?);
        let rewards_updated_at = reader.u64()?;
        let rewards = [Reward::read(reader)?, Reward::read(reader)?, Reward::read(reader)?];
        Some(Self {
            config,
            bump,
            tick_spacing,
            fee_tier_index,
            fee_rate,
            protocol_fee_rate,
            liquidity,
            sqrt_price,
            tick,
            protocol_fees,
            mints: [mint_a, mint_b],
            vaults: [vault_a, vault_b],
            fee_growth: [growth_a, growth_b],
            rewards_updated_at,
            rewards,
        })
    }

    /// Writes all fields into zeroed data, including the authority that may set rewards up.
    pub fn encode(&self, data: &mut [u8], reward_authority: &Address) -> Result {
        let mut writer = Writer::new(data);
        writer.array(&TAG)?;
        writer.address(&self.config)?;
        writer.u8(self.bump)?;
        for number in [self.tick_spacing, self.fee_tier_index, self.fee_rate, self.protocol_fee_rate] {
            writer.u16(number)?;
        }
        writer.u128(self.liquidity)?;
        writer.u128(self.sqrt_price)?;
        writer.u32(self.tick as u32)?;
        writer.array(&[0; 16])?;
        for side in 0..2 {
            writer.address(&self.mints[side])?;
            writer.address(&self.vaults[side])?;
            writer.u128(0)?;
        }
        writer.u64(0)?;
        // The first reward's mint and vault come before its authority.
        writer.array(&[0; 64])?;
        writer.address(reward_authority)
    }

    /// Writes the fields that swaps and changes of liquidity change.
    #[inline(never)]
    pub fn save(&self, account: Account) -> Result {
        let data = &mut account.data_mut()?[..];
        put_u128(data, LIQUIDITY, self.liquidity)?;
        put_u128(data, SQRT_PRICE, self.sqrt_price)?;
        bytes::put(data, TICK, &self.tick.to_le_bytes())?;
        for side in 0..2 {
            bytes::put(data, PROTOCOL_FEES[side], &self.protocol_fees[side].to_le_bytes())?;
            put_u128(data, FEE_GROWTH[side], self.fee_growth[side])?;
        }
        bytes::put(data, REWARDS_UPDATED_AT, &self.rewards_updated_at.to_le_bytes())?;
        let mut at = REWARD_GROWTH;
        for reward in &self.rewards {
            put_u128(data, at, reward.growth)?;
            at += REWARD_LEN;
        }
        Ok(())
    }

    /// Accrues the rewards up to `now`. Fails with InvalidTimestamp if that is before the last update.
    #[inline(never)]
    pub fn update_rewards(&mut self, now: u64) -> Result {
        let elapsed = now.checked_sub(self.rewards_updated_at).ok_or(INVALID_TIMESTAMP)?;
        for reward in &mut self.rewards {
            if !reward.initialized || self.liquidity == 0 || elapsed == 0 {
                continue;
            }
            // As in the public program, a product that overflows counts as zero.
            let emitted = wide::checked_mul(elapsed as u128, reward.emissions).unwrap_or(0);
            let growth = wide::div_floor(emitted, self.liquidity).unwrap_or(0);
            reward.growth = reward.growth.wrapping_add(growth);
        }
        self.rewards_updated_at = now;
        Ok(())
    }

    /// Calls `run` with the seeds with which the pool signs.
    #[inline(always)]
    pub fn with_signer<T>(&self, run: impl FnOnce(Signers) -> T) -> T {
        let [mint_a, mint_b] = &self.mints;
        let index = self.fee_tier_index.to_le_bytes();
        run(&[&[POOL_SEED, &self.config.0, &mint_a.0, &mint_b.0, &index, &[self.bump]]])
    }
}

impl Reward {
    pub const NONE: Self = Self { initialized: false, emissions: 0, growth: 0 };

    fn read(reader: &mut Reader) -> Option<Self> {
        let mint = reader.address()?;
        reader.bytes(64)?;
        Some(Self { initialized: mint != Address::ZERO, emissions: reader.u128()?, growth: reader.u128()? })
    }
}

/// Returns whether positions of the pool cannot be transferred to other owners.
#[inline(never)]
pub fn keeps_positions(account: Account) -> Result<bool> {
    let data = account.data()?;
    let unused: Option<&[u8; 32]> = bytes::at(&data, NO_FLAGS);
    Ok(unused == Some(&[0; 32]) && data.get(FLAGS).is_some_and(|flags| flags & 1 == 1))
}

/// Returns mint and vault of a reward. There are at most three: with another index the program panics, as the public
/// one does.
#[inline(never)]
pub fn reward_accounts(account: Account, index: u8) -> Result<(Address, Address)> {
    assert!((index as usize) < REWARDS);
    let data = account.data()?;
    let at = REWARD_INFOS + REWARD_LEN.wrapping_mul(index as usize);
    let accounts = bytes::address_at(&data, at).zip(bytes::address_at(&data, at + 32));
    accounts.ok_or_else(|| anchor::ACCOUNT_DID_NOT_DESERIALIZE.of("whirlpool"))
}
