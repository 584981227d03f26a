//! The addresses, seeds and denominators of the public program.

use sluice_program::{address, Address};

pub const PROGRAM: Address = address!("CPMMoo8L3F4NbTegBCKVNunggL7H1ZpdTHKxQB5qKP1C");
/// The key that may create configurations and set the status of pools.
pub const ADMIN: Address = address!("GThUX1Atko4tqhN2NaiTazWSeFWMuiUvfFnyJyUghFMJ");
/// The wrapped SOL account that receives the fee for a new pool.
pub const CREATE_POOL_FEE_RECEIVER: Address = address!("DNXgeM9EiiaAbaWvwjHj9fQQLAX5ZsfHyvmYUNRAdNC8");
/// The owners of fees in a new configuration.
pub const PROTOCOL_FEE_OWNER: Address = address!("ProCXqRcXJjoUd1RNoo28bSizAA6EEqt9wURZYPDc5u");
pub const FUND_FEE_OWNER: Address = address!("FUNDduJTA7XcckKHKfAoEnnhuSud2JUCUZv6opWEjrBU");
pub const MEMO_PROGRAM: Address = address!("MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr");
pub const RENT_SYSVAR: Address = address!("SysvarRent111111111111111111111111111111111");

/// Owns the vaults and mints the LP tokens of every pool. It is derived from [`AUTHORITY_SEED`].
pub const AUTHORITY: Address = address!("GpMZbSM2GgvTKHJirzeGfMFoaZ8UR2X7F4v8vHTvxFbL");
pub const AUTHORITY_BUMP: u8 = 253;

pub const AUTHORITY_SEED: &[u8] = b"vault_and_lp_mint_auth_seed";
pub const CONFIG_SEED: &[u8] = b"amm_config";
pub const POOL_SEED: &[u8] = b"pool";
pub const LP_MINT_SEED: &[u8] = b"pool_lp_mint";
pub const VAULT_SEED: &[u8] = b"pool_vault";
pub const OBSERVATION_SEED: &[u8] = b"observation";
pub const PERMISSION_SEED: &[u8] = b"permission";
pub const SUPPORT_MINT_SEED: &[u8] = b"support_mint";
pub const CREATOR_FEE_SHARE_SEED: &[u8] = b"creator_fee_share";

/// Fee rates are numbers of millionths.
pub const FEE_RATE_DENOMINATOR: u64 = 1_000_000;
