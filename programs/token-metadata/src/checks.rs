//! The rules for the fields, and for their changes.

use crate::error::{
    CANNOT_CHANGE_USES, CANNOT_CHANGE_USE_METHOD, CANNOT_REMOVE_VERIFIED_CREATOR,
    CANNOT_UNVERIFY_ANOTHER_CREATOR, CANNOT_VERIFY_ANOTHER_CREATOR, COLLECTION_CANNOT_BE_VERIFIED,
    CREATORS_MUST_BE_AT_LEAST_ONE, CREATORS_TOO_LONG, DUPLICATE_CREATOR_ADDRESS, INVALID_BASIS_POINTS,
    INVALID_USE_METHOD, NAME_TOO_LONG, NUMERICAL_OVERFLOW, SHARE_TOTAL_MUST_BE_100, SYMBOL_TOO_LONG,
    URI_TOO_LONG,
};
use crate::state::{
    require, Collection, Creators, Fields, Uses, MAX_CREATORS, MAX_NAME, MAX_SYMBOL, MAX_URI,
};
use sluice_program::{Address, Result};

const MULTIPLE: u8 = 1;
const SINGLE: u8 = 2;

/// Checks the texts, the fee and the creators. `before` are the previous creators. `signer` is the update authority
/// if it signs; it may verify and unverify only itself.
#[inline(never)]
pub fn check_data(new: &Fields, before: Option<Creators>, signer: Option<&Address>) -> Result {
    require(new.name.len() <= MAX_NAME, NAME_TOO_LONG)?;
    require(new.symbol.len() <= MAX_SYMBOL, SYMBOL_TOO_LONG)?;
    require(new.uri.len() <= MAX_URI, URI_TOO_LONG)?;
    require(new.seller_fee_basis_points <= 10_000, INVALID_BASIS_POINTS)?;
    let Some(creators) = new.creators else {
        let any_verified = before.is_some_and(|before| before.iter().any(|creator| creator.verified));
        return require(!any_verified, CANNOT_REMOVE_VERIFIED_CREATOR);
    };
    check_creators(creators, before, signer)
}

#[inline(never)]
fn check_creators(creators: Creators, before: Option<Creators>, signer: Option<&Address>) -> Result {
    require(creators.len() <= MAX_CREATORS, CREATORS_TOO_LONG)?;
    require(creators.len() > 0, CREATORS_MUST_BE_AT_LEAST_ONE)?;
    for (at, creator) in creators.iter().enumerate() {
        let again = creators.iter().skip(at + 1).any(|other| other.address == creator.address);
        require(!again, DUPLICATE_CREATOR_ADDRESS)?;
    }
    let mut total = 0u8;
    for creator in creators.iter() {
        total = total.checked_add(creator.share).ok_or(NUMERICAL_OVERFLOW)?;
        if signer == Some(&creator.address) {
            continue;
        }
        let known = before.and_then(|before| before.find(&creator.address));
        let was_verified = known.is_some_and(|known| known.verified);
        require(was_verified || !creator.verified, CANNOT_VERIFY_ANOTHER_CREATOR)?;
        require(creator.verified || !was_verified, CANNOT_UNVERIFY_ANOTHER_CREATOR)?;
    }
    require(total == 100, SHARE_TOTAL_MUST_BE_100)?;
    let Some(before) = before else { return Ok(()) };
    for known in before.iter() {
        let kept =
            !known.verified || signer == Some(&known.address) || creators.find(&known.address).is_some();
        require(kept, CANNOT_UNVERIFY_ANOTHER_CREATOR)?;
    }
    Ok(())
}

/// Checks the collection. A verified one cannot be changed, and no collection becomes verified here.
pub fn check_collection(before: Option<Collection>, new: Option<Collection>) -> Result {
    let was_verified = before.filter(|collection| collection.verified);
    let allowed = match new.filter(|collection| collection.verified) {
        Some(new) => was_verified.is_some_and(|before| before.mint == new.mint),
        None => was_verified.is_none(),
    };
    require(allowed, COLLECTION_CANNOT_BE_VERIFIED)
}

/// Checks the uses. They must be possible, and cannot change after one has been spent.
pub fn check_uses(new: Option<Uses>, before: Option<Uses>) -> Result {
    let Some(new) = new else { return Ok(()) };
    let single = new.method != SINGLE || (new.total == 1 && new.remaining == 1);
    let multiple = new.method != MULTIPLE || new.total >= 2;
    require(single && multiple && new.remaining <= new.total, INVALID_USE_METHOD)?;
    let Some(before) = before else { return Ok(()) };
    let untouched = before.total == before.remaining;
    require(untouched || new.method == before.method, CANNOT_CHANGE_USE_METHOD)?;
    let same = new.total == before.total && new.remaining == before.remaining;
    require(untouched || same, CANNOT_CHANGE_USES)
}
