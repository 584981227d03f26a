//! The addresses that the program derives from a mint.

use sluice_program::{Address, Result};

pub const PREFIX: &[u8] = b"metadata";
pub const EDITION: &[u8] = b"edition";

/// Returns the address of the mint's metadata account, and its bump.
pub fn find_metadata(mint: &Address, program: &Address) -> Result<(Address, u8)> {
    Address::find(&[PREFIX, &program.0, &mint.0], program)
}

/// Returns the address of the mint's edition account, and its bump.
pub fn find_edition(mint: &Address, program: &Address) -> Result<(Address, u8)> {
    Address::find(&[PREFIX, &program.0, &mint.0, EDITION], program)
}

/// Returns whether the edition account of the mint has that address. Without a bump, only the canonical one counts.
pub fn is_edition(account: &Address, mint: &Address, bump: Option<u8>, program: &Address) -> Result<bool> {
    let Some(bump) = bump else { return Ok(find_edition(mint, program)?.0 == *account) };
    let seeds: &[&[u8]] = &[PREFIX, &program.0, &mint.0, EDITION, &[bump]];
    Ok(Address::derive(seeds, program).is_ok_and(|address| address == *account))
}
