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

/// What the address of an edition derives from. Without a bump, only the canonical one counts.
pub struct EditionSeeds<'a> {
    pub mint: &'a Address,
    pub bump: Option<u8>,
    pub program: &'a Address,
}

impl EditionSeeds<'_> {
    /// Returns whether the edition has that address.
    #[inline(never)]
    pub fn matches(&self, edition: &Address) -> Result<bool> {
        let Some(bump) = self.bump else {
            return Ok(find_edition(self.mint, self.program)?.0 == *edition);
        };
        let seeds: &[&[u8]] = &[PREFIX, &self.program.0, &self.mint.0, EDITION, &[bump]];
        Ok(Address::derive(seeds, self.program).is_ok_and(|address| address == *edition))
    }
}
