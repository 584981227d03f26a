//! Addresses and seeds.

use sluice_program::{address, Address};

pub const PROGRAM: Address = address!("jupeiUmn818Jg1ekPURTpr4mFo29p46vygyykFJ3wZC");

pub const LIQUIDITY_SEED: &[u8] = b"liquidity";
pub const AUTH_LIST_SEED: &[u8] = b"auth_list";
pub const RESERVE_SEED: &[u8] = b"reserve";
pub const RATE_MODEL_SEED: &[u8] = b"rate_model";
pub const SUPPLY_POSITION_SEED: &[u8] = b"user_supply_position";
pub const BORROW_POSITION_SEED: &[u8] = b"user_borrow_position";
pub const CLAIM_SEED: &[u8] = b"user_claim";
