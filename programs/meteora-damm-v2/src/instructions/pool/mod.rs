//! The instructions that create a pool.

mod initialize;
mod initialize_customizable;
mod initialize_with_dynamic_config;

pub use initialize::initialize;
pub use initialize_customizable::initialize_customizable;
pub use initialize_with_dynamic_config::initialize_with_dynamic_config;

use crate::activation::Points;
use crate::keys::{ALPHA_VAULT_PROGRAM, ALPHA_VAULT_SEED};
use sluice_program::bytes::Reader;
use sluice_program::{Account, Address, Result};

/// Reads an optional slot or second. Returns None if the bytes are cut short.
pub fn read_point(reader: &mut Reader) -> Option<Option<u64>> {
    Some(if reader.bool()? { Some(reader.u64()?) } else { None })
}

fn point_or_now(point: Option<u64>, kind: u8) -> Result<u64> {
    match point {
        Some(point) => Ok(point),
        None => Ok(Points::of(kind)?.now),
    }
}

/// Returns the vault that may buy first: the one that is derived from this base for this pool.
fn vault_of(base: Option<&Address>, pool: Account) -> Result<Address> {
    match base {
        None => Ok(Address::ZERO),
        Some(base) => {
            let seeds: [&[u8]; 3] = [ALPHA_VAULT_SEED, &base.0, &pool.address().0];
            Ok(Address::find(&seeds, &ALPHA_VAULT_PROGRAM)?.0)
        }
    }
}
