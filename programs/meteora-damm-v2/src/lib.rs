//! A stand-in for Meteora's DAMM v2 program: pools of two tokens within a price range, or, if their fees compound,
//! over the whole curve.
//!
//! Instructions, accounts, layouts, rounding, error codes and events are those of the public program;
//! `programs/README.md` lists the instructions that are supported.
#![cfg_attr(any(target_arch = "bpf", target_os = "solana"), no_std)]
#![deny(unsafe_code)]

mod activation;
mod error;
mod events;
mod fees;
mod instructions;
mod keys;
mod liquidity;
mod math;
mod quote;
mod refused;
mod state;
mod token;

use instructions::{claim, liquidity as change, lock, pool, position, swap};
use sluice_program::anchor::{self, named};
use sluice_program::{event, Account, Address, Result};

sluice_program::entrypoint!(process);

const INITIALIZE_POOL: [u8; 8] = anchor::instruction("initialize_pool");
const INITIALIZE_CUSTOMIZABLE_POOL: [u8; 8] = anchor::instruction("initialize_customizable_pool");
const INITIALIZE_POOL_WITH_DYNAMIC_CONFIG: [u8; 8] =
    anchor::instruction("initialize_pool_with_dynamic_config");
const CREATE_POSITION: [u8; 8] = anchor::instruction("create_position");
const CLOSE_POSITION: [u8; 8] = anchor::instruction("close_position");
const ADD_LIQUIDITY: [u8; 8] = anchor::instruction("add_liquidity");
const REMOVE_LIQUIDITY: [u8; 8] = anchor::instruction("remove_liquidity");
const REMOVE_ALL_LIQUIDITY: [u8; 8] = anchor::instruction("remove_all_liquidity");
const CLAIM_POSITION_FEE: [u8; 8] = anchor::instruction("claim_position_fee");
const LOCK_POSITION: [u8; 8] = anchor::instruction("lock_position");
const LOCK_INNER_POSITION: [u8; 8] = anchor::instruction("lock_inner_position");
const PERMANENT_LOCK_POSITION: [u8; 8] = anchor::instruction("permanent_lock_position");
const REFRESH_VESTING: [u8; 8] = anchor::instruction("refresh_vesting");
const SWAP: [u8; 8] = anchor::instruction("swap");
const SWAP2: [u8; 8] = anchor::instruction("swap2");

fn process(_: &Address, accounts: &[Account], data: &[u8]) -> Result {
    let (discriminator, args) = anchor::split_instruction(data)?;
    match *discriminator {
        SWAP => named("Swap", || swap::plain(accounts, args)),
        SWAP2 => named("Swap2", || swap::v2(accounts, args)),
        event::TAG => events::accept(accounts),
        ADD_LIQUIDITY => named("AddLiquidity", || change::add(accounts, args)),
        REMOVE_LIQUIDITY => named("RemoveLiquidity", || change::remove(accounts, args)),
        REMOVE_ALL_LIQUIDITY => named("RemoveAllLiquidity", || change::remove_all(accounts, args)),
        CLAIM_POSITION_FEE => named("ClaimPositionFee", || claim::position_fee(accounts, args)),
        CREATE_POSITION => named("CreatePosition", || position::create(accounts, args)),
        CLOSE_POSITION => named("ClosePosition", || position::close(accounts, args)),
        INITIALIZE_POOL => named("InitializePool", || pool::initialize(accounts, args)),
        INITIALIZE_CUSTOMIZABLE_POOL => {
            named("InitializeCustomizablePool", || pool::initialize_customizable(accounts, args))
        }
        INITIALIZE_POOL_WITH_DYNAMIC_CONFIG => {
            named("InitializePoolWithDynamicConfig", || pool::initialize_with_dynamic_config(accounts, args))
        }
        LOCK_POSITION => named("LockPosition", || lock::in_account(accounts, args)),
        LOCK_INNER_POSITION => named("LockInnerPosition", || lock::in_position(accounts, args)),
        PERMANENT_LOCK_POSITION => named("PermanentLockPosition", || lock::permanently(accounts, args)),
        REFRESH_VESTING => named("RefreshVesting", || lock::refresh(accounts, args)),
        _ => Err(refused::refuse(discriminator)),
    }
}
