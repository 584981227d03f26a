//! The instruction `CreateMetadataAccountV3`.

use super::make::{Content, Make};
use super::{data_v2, whole};
use crate::state::{optional, read_collection_details};
use sluice_program::bytes::Reader;
use sluice_program::{Account, Address, ProgramError, Result};

/// Arguments: fields, whether they are mutable, collection details.
pub fn read(args: &[u8]) -> Option<Content<'_>> {
    let from = &mut Reader::new(args);
    let content = Content {
        fields: data_v2(from)?,
        is_mutable: from.bool()?,
        primary_sale_happened: false,
        token_standard: None,
        collection_details: optional(from, read_collection_details)?,
    };
    whole(from, content)
}

/// Accounts: metadata, mint, its authority, payer, update authority, system program.
pub fn run(program: &Address, accounts: &[Account], content: &Content) -> Result {
    let &[metadata, mint, mint_authority, payer, update_authority, _system_program, ..] = accounts else {
        return Err(ProgramError::NOT_ENOUGH_ACCOUNT_KEYS);
    };
    let make = Make { program, metadata, mint, mint_authority, payer, update_authority };
    make.pay()?;
    make.run(content)
}
