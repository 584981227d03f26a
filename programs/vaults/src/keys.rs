//! Addresses and seeds.

use sluice_program::{address, Address};

pub const PROGRAM: Address = address!("jupr81YtYssSyPt8jbnGuiWon5f6x9TcDEFxYe3Bdzi");
pub const ORACLE_PROGRAM: Address = address!("jupnw4B6Eqs7ft6rxpzYLJZYSnrpRgPcr589n5Kv4oc");

pub const ADMIN_SEED: &[u8] = b"vault_admin";
pub const CONFIG_SEED: &[u8] = b"vault_config";
pub const STATE_SEED: &[u8] = b"vault_state";
pub const METADATA_SEED: &[u8] = b"vault_metadata";
pub const POSITION_SEED: &[u8] = b"position";
pub const POSITION_MINT_SEED: &[u8] = b"position_mint";
pub const TICK_SEED: &[u8] = b"tick";
pub const PAST_TICK_SEED: &[u8] = b"tick_id_liquidation";
pub const DEBT_MAP_SEED: &[u8] = b"tick_has_debt";
pub const BRANCH_SEED: &[u8] = b"branch";
