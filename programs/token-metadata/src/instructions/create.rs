//! The instruction `Create`.

use super::make::{Content, Make};
use super::whole;
use crate::error::{
    FEATURE_NOT_SUPPORTED, INVALID_METADATA_POINTER, INVALID_MINT_CLOSE_AUTHORITY, INVALID_TOKEN_STANDARD,
};
use crate::state::{
    optional, read_collection_details, read_token_standard, require, Collection, Fields, Uses, FUNGIBLE,
    FUNGIBLE_ASSET,
};
use sluice_program::bytes::Reader;
use sluice_program::token::{extensions, Extension};
use sluice_program::{log, Account, Address, ProgramError, Result};

const V1: u8 = 0;
/// The token standards whose prints the public program creates only with another instruction.
const EDITIONS: [u8; 2] = [3, 5];
const UNLIMITED: u8 = 2;
const LIMITED: u8 = 1;

/// Arguments: version, fields, whether the first sale is over, whether the fields are mutable, token standard,
/// collection, uses, collection details, rule set; decimals of a new mint; the print supply, which fungible tokens
/// ignore.
pub fn read(args: &[u8]) -> Option<Content<'_>> {
    let from = &mut Reader::new(args);
    if from.u8()? != V1 {
        return None;
    }
    let mut fields = Fields::read_data(from)?;
    let primary_sale_happened = from.bool()?;
    let is_mutable = from.bool()?;
    let token_standard = Some(read_token_standard(from)?);
    fields.collection = optional(from, |from| Collection::read(from))?;
    fields.uses = optional(from, |from| Uses::read(from))?;
    let collection_details = optional(from, read_collection_details)?;
    optional(from, Reader::address)?;
    optional(from, Reader::u8)?;
    optional(from, print_supply)?;
    whole(from, Content { fields, is_mutable, primary_sale_happened, token_standard, collection_details })
}

fn print_supply(from: &mut Reader) -> Option<()> {
    match from.u8()? {
        LIMITED => from.u64().map(|_| ()),
        kind if kind <= UNLIMITED => Some(()),
        _ => None,
    }
}

/// Accounts: metadata, master edition, mint, its authority, payer, update authority, system program, instructions
/// sysvar, token program. The asset must be a fungible token whose mint exists.
pub fn run(program: &Address, accounts: &[Account], content: &Content) -> Result {
    let &[metadata, _edition, mint, mint_authority, payer, update_authority, _system, _sysvar, _token, ..] =
        accounts
    else {
        return Err(ProgramError::NOT_ENOUGH_ACCOUNT_KEYS);
    };
    let standard = content.token_standard.unwrap_or(FUNGIBLE);
    require(!EDITIONS.contains(&standard), INVALID_TOKEN_STANDARD)?;
    if standard != FUNGIBLE && standard != FUNGIBLE_ASSET {
        log::text("this stand-in makes metadata of fungible tokens only");
        return Err(FEATURE_NOT_SUPPORTED.into());
    }
    if mint.data_len() == 0 {
        log::text("this stand-in makes no mints: create the mint before its metadata");
        return Err(FEATURE_NOT_SUPPORTED.into());
    }
    let make = Make { program, metadata, mint, mint_authority, payer, update_authority };
    make.pay()?;
    check_extensions(mint, metadata.address())?;
    make.run(content)
}

/// Checks that the mint's close authority and metadata pointer, if it has them, are the metadata account.
#[inline(never)]
fn check_extensions(mint: Account, metadata: &Address) -> Result {
    let data = mint.data()?;
    for (kind, body) in extensions(&data) {
        let mut from = Reader::new(body);
        if kind == Extension::MintCloseAuthority as u16 {
            require(from.address().as_ref() == Some(metadata), INVALID_MINT_CLOSE_AUTHORITY)?;
        } else if kind == Extension::MetadataPointer as u16 {
            let fixed = from.address() == Some(Address::ZERO);
            require(fixed && from.address().as_ref() == Some(metadata), INVALID_METADATA_POINTER)?;
        }
    }
    Ok(())
}
