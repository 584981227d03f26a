//! The token standard of an asset whose metadata does not name it, because the metadata is older than standards.

use crate::addresses;
use crate::edition::{self, MasterEdition};
use crate::error::{COULD_NOT_DETERMINE_TOKEN_STANDARD, MISSING_EDITION_ACCOUNT};
use crate::state::{require, Metadata, FUNGIBLE, FUNGIBLE_ASSET, NON_FUNGIBLE, NON_FUNGIBLE_EDITION};
use sluice_program::token::Mint;
use sluice_program::{Account, Address, Result};

/// The accounts that tell the standard of an asset.
pub struct Asset<'a> {
    pub mint: Account<'a>,
    pub edition: Option<Account<'a>>,
    pub program: &'a Address,
}

impl Asset<'_> {
    /// Returns the standard that the metadata names, or else the one that mint and edition show.
    #[inline(never)]
    pub fn find_standard(&self, metadata: &Metadata) -> Result<u8> {
        if let Some(standard) = metadata.token_standard {
            return Ok(standard);
        }
        let mint = Mint::load(self.mint, "mint")?;
        let Some(edition) = self.edition else {
            let (edition, _) = addresses::find_edition(self.mint.address(), self.program)?;
            require(mint.mint_authority != Some(edition), MISSING_EDITION_ACCOUNT)?;
            return Ok(if mint.decimals == 0 { FUNGIBLE_ASSET } else { FUNGIBLE });
        };
        let is_one_of_one = mint.decimals == 0 && mint.supply == 1;
        if is_one_of_one && MasterEdition::read(edition, self.program)?.is_some() {
            return Ok(NON_FUNGIBLE);
        }
        let is_print = edition.data()?.first() == Some(&edition::PRINT_KEY);
        require(is_one_of_one && is_print, COULD_NOT_DETERMINE_TOKEN_STANDARD)?;
        Ok(NON_FUNGIBLE_EDITION)
    }
}
