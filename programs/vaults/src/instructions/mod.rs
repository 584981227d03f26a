//! The instructions. Each file has one instruction, or a family of instructions with the same accounts. `operate` and
//! `liquidate` have folders of their own.

pub mod admin;
pub mod exchange_prices;
pub mod init_branch;
pub mod init_debt_map;
pub mod init_past_tick;
pub mod init_position;
pub mod init_tick;
pub mod init_vault_config;
pub mod init_vault_state;
pub mod lookup_table;
pub mod metadata;
pub mod oracle;
pub mod rebalance;
pub mod settings;

use sluice_program::anchor::decoded;
use sluice_program::bytes::Reader;
use sluice_program::Result;

/// Reads the vault's id, which comes first in the arguments. Returns it with a reader of the rest.
pub fn vault_id(args: &[u8]) -> Result<(u16, Reader<'_>)> {
    let mut from = Reader::new(args);
    let id = decoded(from.u16())?;
    Ok((id, from))
}
