//! The addresses, seeds and limits of the public program.

use sluice_program::{address, Address};

pub const PROGRAM: Address = address!("dbcij3LWUppWqq96dh6gJWwBifmcGfLSB5D4DuSMaqN");
/// Owns every pool's vaults, and the liquidity during a migration.
pub const AUTHORITY: Address = address!("FhVo3mqL8PW5pH5U2CN4XE33DokiyZnUwuGpH2hmHLuM");
pub const AUTHORITY_SEED: &[u8] = b"pool_authority";
pub const AUTHORITY_BUMP: u8 = 255;
pub const EVENT_AUTHORITY: Address = address!("8Ks12pbrD6PXxfty1hVQiE9sc289zgU1zHkvXhrSdriF");
pub const EVENT_AUTHORITY_BUMP: u8 = 254;
pub const METADATA_PROGRAM: Address = address!("metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s");
pub const DAMM_V2_PROGRAM: Address = address!("cpamdpZCGKUy5JxQXB4dcpGPiikHawvSWAd6mEn1sGG");
pub const LOCKER_PROGRAM: Address = address!("LocpQgucEQHbqNABEYvBvwoxCPsSbG91A1QaQhQQqjn");
pub const NATIVE_MINT_2022: Address = address!("9pan9bMn5HatX4EJdBwg9VgCa7Uz5HL8N1m5D3NdXejP");

pub const POOL_SEED: &[u8] = b"pool";
pub const VAULT_SEED: &[u8] = b"token_vault";
pub const BASE_LOCKER_SEED: &[u8] = b"base_locker";

/// A fee rate is in billionths.
pub const FEE_DENOMINATOR: u64 = 1_000_000_000;
pub const MIN_FEE: u64 = 2_500_000;
pub const MAX_FEE: u64 = 990_000_000;
pub const BPS: u64 = 10_000;
/// The protocol's share of a fee, and a referrer's share of the protocol's, in percent.
pub const PROTOCOL_FEE_PERCENT: u64 = 20;
pub const REFERRAL_FEE_PERCENT: u64 = 20;
/// The protocol's share of the migrated liquidity.
pub const PROTOCOL_MIGRATION_FEE_BPS: u16 = 20;
/// The share of a surplus that partner and creator receive, in percent.
pub const SURPLUS_PERCENT: u64 = 80;

pub const MIN_SQRT_PRICE: u128 = 4_295_048_016;
pub const MAX_SQRT_PRICE: u128 = 79_226_673_521_066_979_257_578_248_091;
