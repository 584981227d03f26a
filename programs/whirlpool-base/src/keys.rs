//! The addresses, seeds and limits of the public program.

use sluice_program::{address, Address};

pub const PROGRAM: Address = address!("whirLbMiicVdio4qvUfM5KAg6Ct8VwpYzGff3uctyCc");
pub const MEMO_PROGRAM: Address = address!("MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr");
/// The authority that may change the metadata of positions' tokens.
pub const METADATA_AUTHORITY: Address = address!("3axbTs2z5GBy6usVbNVoqEgZMng3vZvMnAoX29BFfwhr");
pub const RENT_SYSVAR: Address = address!("SysvarRent111111111111111111111111111111111");

pub const POOL_SEED: &[u8] = b"whirlpool";
pub const FEE_TIER_SEED: &[u8] = b"fee_tier";
pub const TICK_ARRAY_SEED: &[u8] = b"tick_array";
pub const ORACLE_SEED: &[u8] = b"oracle";
pub const POSITION_SEED: &[u8] = b"position";
pub const TOKEN_BADGE_SEED: &[u8] = b"token_badge";

/// A fee rate is in millionths of the input.
pub const FEE_RATE_DENOMINATOR: u64 = 1_000_000;
pub const MAX_FEE_RATE: u16 = 60_000;
/// The protocol's share is in ten-thousandths of the fee.
pub const PROTOCOL_FEE_RATE_DENOMINATOR: u64 = 10_000;
pub const MAX_PROTOCOL_FEE_RATE: u16 = 2_500;

/// From this tick spacing on, positions in a pool must cover the whole range.
pub const FULL_RANGE_ONLY_TICK_SPACING: u16 = 32_768;
