//! The instruction `UpdateMetadataAccountV2`.

use super::{data_v2, whole};
use crate::checks;
use crate::error::{
    CANNOT_UPDATE_VERIFIED_COLLECTION, DATA_IS_IMMUTABLE, IS_MUTABLE_CAN_ONLY_BE_FLIPPED_TO_FALSE,
    PRIMARY_SALE_CAN_ONLY_BE_FLIPPED_TO_TRUE, UPDATE_AUTHORITY_INCORRECT, UPDATE_AUTHORITY_IS_NOT_SIGNER,
};
use crate::state::{self, optional, require, Fields, Metadata};
use sluice_program::bytes::Reader;
use sluice_program::{Account, Address, ProgramError, Result};

/// The changes. A field that is None stays as it is.
pub struct Changes<'d> {
    fields: Option<Fields<'d>>,
    update_authority: Option<Address>,
    primary_sale_happened: Option<bool>,
    is_mutable: Option<bool>,
}

/// Arguments, each of them optional: fields, update authority, whether the first sale is over, whether the fields are
/// mutable.
pub fn read(args: &[u8]) -> Option<Changes<'_>> {
    let from = &mut Reader::new(args);
    let changes = Changes {
        fields: optional(from, data_v2)?,
        update_authority: optional(from, Reader::address)?,
        primary_sale_happened: optional(from, Reader::bool)?,
        is_mutable: optional(from, Reader::bool)?,
    };
    whole(from, changes)
}

/// Accounts: metadata, update authority, which signs.
pub fn run(program: &Address, accounts: &[Account], changes: &Changes) -> Result {
    let &[account, authority, ..] = accounts else { return Err(ProgramError::NOT_ENOUGH_ACCOUNT_KEYS) };
    let bytes = state::copy_of(account, program)?;
    let mut metadata = Metadata::decode(&bytes)?;
    require(metadata.update_authority == *authority.address(), UPDATE_AUTHORITY_INCORRECT)?;
    require(authority.is_signer(), UPDATE_AUTHORITY_IS_NOT_SIGNER)?;
    if let Some(fields) = &changes.fields {
        check_fields(&metadata, fields, authority.address())?;
        metadata.fields = *fields;
    }
    if let Some(authority) = changes.update_authority {
        metadata.update_authority = authority;
    }
    if let Some(happened) = changes.primary_sale_happened {
        require(happened || !metadata.primary_sale_happened, PRIMARY_SALE_CAN_ONLY_BE_FLIPPED_TO_TRUE)?;
        metadata.primary_sale_happened = happened;
    }
    if let Some(mutable) = changes.is_mutable {
        require(!mutable || metadata.is_mutable, IS_MUTABLE_CAN_ONLY_BE_FLIPPED_TO_FALSE)?;
        metadata.is_mutable = mutable;
    }
    metadata.store(account)
}

#[inline(never)]
fn check_fields(metadata: &Metadata, new: &Fields, authority: &Address) -> Result {
    require(metadata.is_mutable, DATA_IS_IMMUTABLE)?;
    let before = &metadata.fields;
    checks::check_data(new, before.creators, Some(authority))?;
    if new.collection.is_some() {
        checks::check_collection(before.collection, new.collection)?;
    } else {
        let verified = before.collection.is_some_and(|collection| collection.verified);
        require(!verified, CANNOT_UPDATE_VERIFIED_COLLECTION)?;
    }
    checks::check_uses(new.uses, before.uses)
}
