//! The addresses, seeds and limits of the public program.

use sluice_program::{address, Address};

pub const PROGRAM: Address = address!("cpamdpZCGKUy5JxQXB4dcpGPiikHawvSWAd6mEn1sGG");
/// Owns every pool's vaults, and mints the tokens of positions.
pub const AUTHORITY: Address = address!("HLnpSz9h2S4hiLQ43rnSD9XkcUThA7B8hQMKmDaiTLcC");
pub const AUTHORITY_SEED: &[u8] = b"pool_authority";
pub const AUTHORITY_BUMP: u8 = 254;
pub const EVENT_AUTHORITY: Address = address!("3rmHSu74h1ZcmAisVcWerTCiRDQbUrBKmcwptYGjHfet");
pub const EVENT_AUTHORITY_BUMP: u8 = 255;
/// The program whose vaults may buy before all others.
pub const ALPHA_VAULT_PROGRAM: Address = address!("vaU6kP7iNEGkbmPkLmZfGwiGxd4Mob24QQCie5R9kd2");
pub const NATIVE_MINT_2022: Address = address!("9pan9bMn5HatX4EJdBwg9VgCa7Uz5HL8N1m5D3NdXejP");

pub const POOL_SEED: &[u8] = b"pool";
pub const CUSTOM_POOL_SEED: &[u8] = b"cpool";
pub const VAULT_SEED: &[u8] = b"token_vault";
pub const POSITION_SEED: &[u8] = b"position";
pub const POSITION_TOKEN_SEED: &[u8] = b"position_nft_account";
pub const ALPHA_VAULT_SEED: &[u8] = b"vault";

/// A fee rate is in billionths.
pub const FEE_DENOMINATOR: u64 = 1_000_000_000;
pub const MIN_FEE: u64 = 100_000;
/// The maximum fee rates, by the version of a pool's fees.
pub const MAX_FEES: [u64; 2] = [500_000_000, 990_000_000];
pub const BPS: u64 = 10_000;

pub const MIN_SQRT_PRICE: u128 = 4_295_048_016;
pub const MAX_SQRT_PRICE: u128 = 79_226_673_521_066_979_257_578_248_091;
