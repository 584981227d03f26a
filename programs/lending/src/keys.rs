//! Addresses and seeds.

use sluice_program::{address, Address};

pub const PROGRAM: Address = address!("jup3YeL8QhtSx1e253b2FDvsMNC87fDrgQZivbrndc9");
pub const REWARDS_PROGRAM: Address = address!("jup7TthsMgcR9Y3L277b8Eo9uboVSmu1utkuXHNUKar");

pub const ADMIN_SEED: &[u8] = b"lending_admin";
pub const RECEIPT_MINT_SEED: &[u8] = b"f_token_mint";
pub const LENDING_SEED: &[u8] = b"lending";
pub const SUPPLY_POSITION_SEED: &[u8] = b"user_supply_position";
