//! A stand-in for Orca's concentrated-liquidity program: pools whose liquidity lies between ticks.
//!
//! Instructions, accounts, layouts, rounding, error codes and events are those of the public program;
//! `programs/README.md` lists the instructions that are supported.
#![cfg_attr(any(target_arch = "bpf", target_os = "solana"), no_std)]
#![deny(unsafe_code)]

mod change;
mod instructions;
mod position_mint;
mod refused;
mod tick_rent;
mod token;

use instructions::{
    config, fees, liquidity, liquidity_v2, pool, position, position_2022, rewards, swap, tick_array,
};
use sluice_program::anchor::{self, named};
use sluice_program::{Account, Address, Result};
use sluice_whirlpool::{error, keys, math, sequence, state, walk};

sluice_program::entrypoint!(process);

const INITIALIZE_CONFIG: [u8; 8] = anchor::instruction("initialize_config");
const INITIALIZE_FEE_TIER: [u8; 8] = anchor::instruction("initialize_fee_tier");
const INITIALIZE_POOL: [u8; 8] = anchor::instruction("initialize_pool");
const INITIALIZE_POOL_V2: [u8; 8] = anchor::instruction("initialize_pool_v2");
const INITIALIZE_TICK_ARRAY: [u8; 8] = anchor::instruction("initialize_tick_array");
const INITIALIZE_DYNAMIC_TICK_ARRAY: [u8; 8] = anchor::instruction("initialize_dynamic_tick_array");
const OPEN_POSITION: [u8; 8] = anchor::instruction("open_position");
const OPEN_POSITION_2022: [u8; 8] = anchor::instruction("open_position_with_token_extensions");
const CLOSE_POSITION: [u8; 8] = anchor::instruction("close_position");
const CLOSE_POSITION_2022: [u8; 8] = anchor::instruction("close_position_with_token_extensions");
const INCREASE_LIQUIDITY: [u8; 8] = anchor::instruction("increase_liquidity");
const DECREASE_LIQUIDITY: [u8; 8] = anchor::instruction("decrease_liquidity");
const INCREASE_LIQUIDITY_V2: [u8; 8] = anchor::instruction("increase_liquidity_v2");
const INCREASE_BY_AMOUNTS: [u8; 8] = anchor::instruction("increase_liquidity_by_token_amounts_v2");
const DECREASE_LIQUIDITY_V2: [u8; 8] = anchor::instruction("decrease_liquidity_v2");
const UPDATE_FEES_AND_REWARDS: [u8; 8] = anchor::instruction("update_fees_and_rewards");
const COLLECT_FEES: [u8; 8] = anchor::instruction("collect_fees");
const COLLECT_FEES_V2: [u8; 8] = anchor::instruction("collect_fees_v2");
const COLLECT_REWARD: [u8; 8] = anchor::instruction("collect_reward");
const COLLECT_REWARD_V2: [u8; 8] = anchor::instruction("collect_reward_v2");
const SWAP: [u8; 8] = anchor::instruction("swap");
const SWAP_V2: [u8; 8] = anchor::instruction("swap_v2");

fn process(_: &Address, accounts: &[Account], data: &[u8]) -> Result {
    let (discriminator, args) = anchor::split_instruction(data)?;
    match *discriminator {
        SWAP => named("Swap", || swap::plain(accounts, args)),
        SWAP_V2 => named("SwapV2", || swap::v2(accounts, args)),
        INCREASE_LIQUIDITY => named("IncreaseLiquidity", || liquidity::increase(accounts, args)),
        DECREASE_LIQUIDITY => named("DecreaseLiquidity", || liquidity::decrease(accounts, args)),
        INCREASE_LIQUIDITY_V2 => named("IncreaseLiquidityV2", || liquidity_v2::increase(accounts, args)),
        INCREASE_BY_AMOUNTS => {
            named("IncreaseLiquidityByTokenAmountsV2", || liquidity_v2::increase_by_amounts(accounts, args))
        }
        DECREASE_LIQUIDITY_V2 => named("DecreaseLiquidityV2", || liquidity_v2::decrease(accounts, args)),
        UPDATE_FEES_AND_REWARDS => named("UpdateFeesAndRewards", || fees::update(accounts, args)),
        COLLECT_FEES => named("CollectFees", || fees::collect(accounts, args)),
        COLLECT_FEES_V2 => named("CollectFeesV2", || fees::collect_v2(accounts, args)),
        COLLECT_REWARD => named("CollectReward", || rewards::collect(accounts, args)),
        COLLECT_REWARD_V2 => named("CollectRewardV2", || rewards::collect_v2(accounts, args)),
        OPEN_POSITION => named("OpenPosition", || position::open(accounts, args)),
        CLOSE_POSITION => named("ClosePosition", || position::close(accounts, args)),
        OPEN_POSITION_2022 => {
            named("OpenPositionWithTokenExtensions", || position_2022::open(accounts, args))
        }
        CLOSE_POSITION_2022 => {
            named("ClosePositionWithTokenExtensions", || position_2022::close(accounts, args))
        }
        INITIALIZE_TICK_ARRAY => named("InitializeTickArray", || tick_array::initialize(accounts, args)),
        INITIALIZE_DYNAMIC_TICK_ARRAY => {
            named("InitializeDynamicTickArray", || tick_array::initialize_dynamic(accounts, args))
        }
        INITIALIZE_POOL => named("InitializePool", || pool::initialize(accounts, args)),
        INITIALIZE_POOL_V2 => named("InitializePoolV2", || pool::initialize_v2(accounts, args)),
        INITIALIZE_FEE_TIER => named("InitializeFeeTier", || config::initialize_fee_tier(accounts, args)),
        INITIALIZE_CONFIG => named("InitializeConfig", || config::initialize(accounts, args)),
        _ => Err(refused::refuse(discriminator)),
    }
}
