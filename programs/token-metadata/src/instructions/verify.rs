//! The instructions `Verify` and `Unverify`: a creator marks itself, or the authority of a collection marks a member.

use super::{leave_out, whole};
use crate::addresses::{self, EditionSeeds};
use crate::edition::MasterEdition;
use crate::error::{
    COLLECTION_MASTER_EDITION_ACCOUNT_INVALID, COLLECTION_MUST_BE_A_UNIQUE_MASTER_EDITION,
    COLLECTION_NOT_FOUND, CREATOR_NOT_FOUND, INCORRECT_OWNER, MINT_MISMATCH,
    MISSING_COLLECTION_MASTER_EDITION, MISSING_COLLECTION_METADATA, MISSING_COLLECTION_MINT,
    NOT_A_MEMBER_OF_COLLECTION, NO_CREATORS_PRESENT_ON_METADATA, UPDATE_AUTHORITY_INCORRECT,
};
use crate::state::{self, require, CreatorMark, Metadata, CREATOR_LEN, MAX_CREATORS, NON_FUNGIBLE};
use sluice_program::bytes::Reader;
use sluice_program::heap::List;
use sluice_program::token::PROGRAMS;
use sluice_program::{anchor, Account, Address, ProgramError, Result};

/// What is marked.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    Creator,
    Collection,
}

/// Argument: what is marked.
pub fn read(args: &[u8]) -> Option<Mark> {
    let from = &mut Reader::new(args);
    let mark = match from.u8()? {
        0 => Mark::Creator,
        1 => Mark::Collection,
        _ => return None,
    };
    whole(from, mark)
}

/// The accounts of a collection, of which the public program lets each be left out, and the member.
struct Membership<'a> {
    program: &'a Address,
    authority: Account<'a>,
    delegate_record: Option<Account<'a>>,
    account: Account<'a>,
    mint: Option<Account<'a>>,
    metadata: Option<Account<'a>>,
    edition: Option<Account<'a>>,
}

/// Accounts: authority, which signs, delegate record, metadata; mint, metadata and master edition of the collection;
/// system program, instructions sysvar.
pub fn verify(program: &Address, accounts: &[Account], mark: Mark) -> Result {
    let &[authority, delegate, account, mint, metadata, edition, _system, _sysvar, ..] = accounts else {
        return Err(ProgramError::NOT_ENOUGH_ACCOUNT_KEYS);
    };
    check_signer(authority)?;
    if mark == Mark::Creator {
        return mark_creator(program, account, &CreatorMark { address: authority.address(), verified: true });
    }
    let membership = Membership {
        program,
        authority,
        delegate_record: anchor::optional(delegate, program),
        account,
        mint: anchor::optional(mint, program),
        metadata: anchor::optional(metadata, program),
        edition: anchor::optional(edition, program),
    };
    membership.verify()
}

/// Accounts: as in [`verify`], without the master edition.
pub fn unverify(program: &Address, accounts: &[Account], mark: Mark) -> Result {
    let &[authority, delegate, account, mint, metadata, _system, _sysvar, ..] = accounts else {
        return Err(ProgramError::NOT_ENOUGH_ACCOUNT_KEYS);
    };
    check_signer(authority)?;
    if mark == Mark::Creator {
        return mark_creator(
            program,
            account,
            &CreatorMark { address: authority.address(), verified: false },
        );
    }
    let membership = Membership {
        program,
        authority,
        delegate_record: anchor::optional(delegate, program),
        account,
        mint: anchor::optional(mint, program),
        metadata: anchor::optional(metadata, program),
        edition: None,
    };
    membership.unverify()
}

fn check_signer(authority: Account) -> Result {
    if authority.is_signer() {
        Ok(())
    } else {
        Err(ProgramError::MISSING_REQUIRED_SIGNATURE)
    }
}

#[inline(never)]
fn mark_creator(program: &Address, account: Account, mark: &CreatorMark) -> Result {
    require(account.is_owned_by(program), INCORRECT_OWNER)?;
    let bytes = state::copy_of(account, program)?;
    let mut marked = List::with_capacity(MAX_CREATORS * CREATOR_LEN)?;
    let mut metadata = Metadata::decode(&bytes)?;
    let creators =
        metadata.fields.creators.ok_or_else(|| ProgramError::from(NO_CREATORS_PRESENT_ON_METADATA))?;
    let creators = creators.mark(mark, &mut marked)?;
    metadata.fields.creators = Some(creators.ok_or_else(|| ProgramError::from(CREATOR_NOT_FOUND))?);
    metadata.store(account)
}

impl<'a> Membership<'a> {
    #[inline(never)]
    fn verify(&self) -> Result {
        require(self.account.is_owned_by(self.program), INCORRECT_OWNER)?;
        let mint = self.collection_mint()?;
        let parent = self.metadata.ok_or_else(|| ProgramError::from(MISSING_COLLECTION_METADATA))?;
        require(parent.is_owned_by(self.program), INCORRECT_OWNER)?;
        let edition = self.edition.ok_or_else(|| ProgramError::from(MISSING_COLLECTION_MASTER_EDITION))?;
        require(edition.is_owned_by(self.program), INCORRECT_OWNER)?;
        let bytes = state::copy_of(self.account, self.program)?;
        let mut member = Metadata::decode(&bytes)?;
        let parent_bytes = state::copy_of(parent, self.program)?;
        let mut collection = Metadata::decode(&parent_bytes)?;
        let Some(link) = member.fields.collection else { return Err(COLLECTION_NOT_FOUND.into()) };
        if link.verified {
            return Ok(());
        }
        let matches = link.mint == *mint.address() && collection.mint == *mint.address();
        require(matches, COLLECTION_NOT_FOUND)?;
        self.check_edition(&collection, edition)?;
        self.check_authority(&collection.update_authority)?;
        if collection.resize_collection(u64::checked_add)? {
            collection.store(parent)?;
        }
        member.fields.collection = Some(state::Collection { verified: true, ..link });
        member.store(self.account)
    }

    #[inline(never)]
    fn unverify(&self) -> Result {
        require(self.account.is_owned_by(self.program), INCORRECT_OWNER)?;
        let mint = self.collection_mint()?;
        let parent = self.metadata.ok_or_else(|| ProgramError::from(MISSING_COLLECTION_METADATA))?;
        let bytes = state::copy_of(self.account, self.program)?;
        let mut member = Metadata::decode(&bytes)?;
        let Some(link) = member.fields.collection.filter(|link| link.verified) else { return Ok(()) };
        require(link.mint == *mint.address(), NOT_A_MEMBER_OF_COLLECTION)?;
        let (expected, _) = addresses::find_metadata(mint.address(), self.program)?;
        require(*parent.address() == expected, MINT_MISMATCH)?;
        self.leave_collection(parent, &member)?;
        member.fields.collection = Some(state::Collection { verified: false, ..link });
        member.store(self.account)
    }

    /// Counts the member out of the collection. If the collection was burned, the authority is the member's own.
    #[inline(never)]
    fn leave_collection(&self, parent: Account, member: &Metadata) -> Result {
        if state::is_burned(parent)? {
            return self.check_authority(&member.update_authority);
        }
        require(parent.is_owned_by(self.program), INCORRECT_OWNER)?;
        let bytes = state::copy_of(parent, self.program)?;
        let mut collection = Metadata::decode(&bytes)?;
        if collection.resize_collection(u64::checked_sub)? {
            collection.store(parent)?;
        }
        self.check_authority(&collection.update_authority)
    }

    fn collection_mint(&self) -> Result<Account<'a>> {
        let mint = self.mint.ok_or_else(|| ProgramError::from(MISSING_COLLECTION_MINT))?;
        require(PROGRAMS.contains(&mint.owner()), INCORRECT_OWNER)?;
        Ok(mint)
    }

    /// The collection must be a non-fungible token that allows no prints.
    #[inline(never)]
    fn check_edition(&self, collection: &Metadata, edition: Account) -> Result {
        let seeds =
            EditionSeeds { mint: &collection.mint, bump: collection.edition_bump, program: self.program };
        require(seeds.matches(edition.address())?, COLLECTION_MASTER_EDITION_ACCOUNT_INVALID)?;
        let allows_none =
            MasterEdition::read(edition, self.program)?.is_some_and(|edition| edition.most_prints == Some(0));
        let is_unique = allows_none && collection.token_standard == Some(NON_FUNGIBLE);
        require(is_unique, COLLECTION_MUST_BE_A_UNIQUE_MASTER_EDITION)
    }

    #[inline(never)]
    fn check_authority(&self, expected: &Address) -> Result {
        if self.authority.address() == expected {
            return Ok(());
        }
        if let Some(record) = self.delegate_record {
            require(record.is_owned_by(self.program), INCORRECT_OWNER)?;
            return Err(leave_out("this stand-in has no delegates"));
        }
        Err(UPDATE_AUTHORITY_INCORRECT.into())
    }
}
