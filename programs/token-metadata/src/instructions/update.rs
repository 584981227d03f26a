//! The instruction `Update`, as the update authority calls it.

use super::{check_programs, leave_out, whole};
use crate::addresses;
use crate::checks;
use crate::error::{
    AMOUNT_MUST_BE_GREATER_THAN_ZERO, CANNOT_UPDATE_VERIFIED_COLLECTION, DATA_IS_IMMUTABLE,
    DERIVED_KEY_INVALID, FEATURE_NOT_SUPPORTED, INCORRECT_OWNER, INVALID_AUTHORITY_TYPE,
    INVALID_TOKEN_STANDARD, IS_MUTABLE_CAN_ONLY_BE_FLIPPED_TO_FALSE, MINT_MISMATCH,
    PRIMARY_SALE_CAN_ONLY_BE_FLIPPED_TO_TRUE, SIZED_COLLECTION,
};
use crate::standard::Asset;
use crate::state::{
    self, optional, read_collection_details, read_token_standard, require, Collection, Fields, Metadata, Uses,
};
use sluice_program::bytes::Reader;
use sluice_program::token::{TokenAccount, PROGRAMS};
use sluice_program::{anchor, log, Account, Address, ProgramError, Result};

const V1: u8 = 0;
const AS_UPDATE_AUTHORITY_V2: u8 = 1;
/// The highest version. Those above the two are for delegates.
const LAST_VERSION: u8 = 8;

/// A change of an optional field.
#[derive(Clone, Copy)]
enum Toggle<T> {
    Keep,
    Clear,
    Set(T),
}

/// The changes. A field that is None stays as it is.
pub struct Changes<'d> {
    update_authority: Option<Address>,
    /// The first five fields; collection and uses have places of their own.
    data: Option<Fields<'d>>,
    primary_sale_happened: Option<bool>,
    is_mutable: Option<bool>,
    collection: Toggle<Collection>,
    collection_details: Toggle<(u8, u64)>,
    uses: Toggle<Uses>,
    /// Whether the rule set is to change, which only programmable assets have.
    changes_rules: bool,
    token_standard: Option<u8>,
    /// Whether there is authorization data.
    authorized: bool,
}

/// Arguments: version, the fields of [`Changes`] in their order, the token standard in version 2 only, and authorization
/// data. Fails with InvalidInstructionData, or with FeatureNotSupported for the versions of delegates.
pub fn read(args: &[u8]) -> Result<Changes<'_>> {
    match args.first() {
        Some(&version) if version > AS_UPDATE_AUTHORITY_V2 && version <= LAST_VERSION => {
            Err(leave_out("this stand-in has no delegates"))
        }
        _ => read_changes(args).ok_or(ProgramError::INVALID_INSTRUCTION_DATA),
    }
}

#[inline(never)]
fn read_changes(args: &[u8]) -> Option<Changes<'_>> {
    let from = &mut Reader::new(args);
    let version = from.u8()?;
    let changes = Changes {
        update_authority: optional(from, Reader::address)?,
        data: optional(from, Fields::read_data)?,
        primary_sale_happened: optional(from, Reader::bool)?,
        is_mutable: optional(from, Reader::bool)?,
        collection: toggle(from, |from| Collection::read(from))?,
        collection_details: toggle(from, read_collection_details)?,
        uses: toggle(from, |from| Uses::read(from))?,
        changes_rules: !matches!(toggle(from, Reader::address)?, Toggle::Keep),
        token_standard: if version == V1 { None } else { optional(from, read_token_standard)? },
        authorized: from.bool()?,
    };
    if changes.authorized {
        return Some(changes);
    }
    whole(from, changes)
}

fn toggle<'a, T>(
    from: &mut Reader<'a>,
    read: impl FnOnce(&mut Reader<'a>) -> Option<T>,
) -> Option<Toggle<T>> {
    match from.u8()? {
        0 => Some(Toggle::Keep),
        1 => Some(Toggle::Clear),
        2 => read(from).map(Toggle::Set),
        _ => None,
    }
}

/// The accounts of the instruction.
struct Parties<'a> {
    program: &'a Address,
    authority: Account<'a>,
    delegate_record: Option<Account<'a>>,
    token: Option<Account<'a>>,
    mint: Account<'a>,
    account: Account<'a>,
    edition: Option<Account<'a>>,
}

/// Accounts: update authority, delegate record, token account, mint, metadata, edition, payer, system program,
/// instructions sysvar, and two of the authorization rules. Authority and payer sign.
pub fn run(program: &Address, accounts: &[Account], changes: &Changes) -> Result {
    let &[authority, delegate, token, mint, account, edition, payer, system, sysvar, _, rules, ..] = accounts
    else {
        return Err(ProgramError::NOT_ENOUGH_ACCOUNT_KEYS);
    };
    if !authority.is_signer() || !payer.is_signer() {
        return Err(ProgramError::MISSING_REQUIRED_SIGNATURE);
    }
    if changes.authorized || anchor::optional(rules, program).is_some() {
        return Err(leave_out(
            "authorization rules belong to programmable assets, which this stand-in leaves out",
        ));
    }
    let parties = Parties {
        program,
        authority,
        delegate_record: anchor::optional(delegate, program),
        token: anchor::optional(token, program),
        mint,
        account,
        edition: anchor::optional(edition, program),
    };
    parties.check_owners()?;
    check_programs(system, sysvar)?;
    let holder = parties.find_holder()?;
    let bytes = state::copy_of(account, program)?;
    let mut metadata = Metadata::decode(&bytes)?;
    require(metadata.mint == *mint.address(), MINT_MISMATCH)?;
    parties.check_edition()?;
    parties.check_authority(&metadata, holder)?;
    log::text("Auth type: Metadata");
    let asset = Asset { mint, edition: parties.edition, program };
    let standard = asset.find_standard(&metadata)?;
    // The public build refuses every change of the standard, also that between the two fungible ones.
    require(changes.token_standard.is_none_or(|wanted| wanted == standard), INVALID_TOKEN_STANDARD)?;
    metadata.token_standard = Some(standard);
    changes.apply(&mut metadata, authority.address())?;
    metadata.store(account)
}

impl Parties<'_> {
    #[inline(never)]
    fn check_owners(&self) -> Result {
        let is_own =
            |account: Option<Account>| account.is_none_or(|account| account.is_owned_by(self.program));
        require(is_own(self.delegate_record), INCORRECT_OWNER)?;
        let is_token = self.token.is_none_or(|token| PROGRAMS.contains(&token.owner()));
        require(is_token && PROGRAMS.contains(&self.mint.owner()), INCORRECT_OWNER)?;
        require(is_own(Some(self.account)) && is_own(self.edition), INCORRECT_OWNER)
    }

    /// Returns the owner of the token account, if it is given.
    #[inline(never)]
    fn find_holder(&self) -> Result<Option<Address>> {
        let Some(token) = self.token else { return Ok(None) };
        let holding = TokenAccount::load(token, "token")?;
        require(holding.mint == *self.mint.address(), MINT_MISMATCH)?;
        require(holding.amount > 0, AMOUNT_MUST_BE_GREATER_THAN_ZERO)?;
        Ok(Some(holding.owner))
    }

    #[inline(never)]
    fn check_edition(&self) -> Result {
        let Some(edition) = self.edition else { return Ok(()) };
        let (expected, _) = addresses::find_edition(self.mint.address(), self.program)?;
        require(*edition.address() == expected, DERIVED_KEY_INVALID)
    }

    /// Only the update authority may update. The public program lets delegates update too, and tells a holder apart.
    #[inline(never)]
    fn check_authority(&self, metadata: &Metadata, holder: Option<Address>) -> Result {
        if metadata.update_authority == *self.authority.address() {
            return Ok(());
        }
        if self.delegate_record.is_some() {
            return Err(leave_out("this stand-in has no delegates"));
        }
        let is_holder = holder.as_ref() == Some(self.authority.address());
        if is_holder {
            log::text("Auth type: Holder");
        }
        Err(if is_holder { FEATURE_NOT_SUPPORTED } else { INVALID_AUTHORITY_TYPE }.into())
    }
}

impl<'d> Changes<'d> {
    #[inline(never)]
    fn apply(&self, metadata: &mut Metadata<'d>, authority: &Address) -> Result {
        if let Some(authority) = self.update_authority {
            metadata.update_authority = authority;
        }
        let uses = match self.uses {
            Toggle::Keep => metadata.fields.uses,
            Toggle::Clear => None,
            Toggle::Set(uses) => {
                checks::check_uses(Some(uses), metadata.fields.uses)?;
                Some(uses)
            }
        };
        if let Toggle::Set(details) = self.collection_details {
            require(metadata.collection_details.is_none(), SIZED_COLLECTION)?;
            metadata.collection_details = Some(details);
        }
        if let Some(data) = self.data {
            require(metadata.is_mutable, DATA_IS_IMMUTABLE)?;
            checks::check_data(&data, metadata.fields.creators, Some(authority))?;
            metadata.fields = Fields { collection: metadata.fields.collection, ..data };
        }
        metadata.fields.uses = uses;
        self.apply_flags(metadata)?;
        self.apply_collection(metadata)?;
        require(!self.changes_rules, INVALID_TOKEN_STANDARD)
    }

    #[inline(never)]
    fn apply_flags(&self, metadata: &mut Metadata) -> Result {
        if let Some(happened) = self.primary_sale_happened {
            let allowed = happened || !metadata.primary_sale_happened;
            require(allowed, PRIMARY_SALE_CAN_ONLY_BE_FLIPPED_TO_TRUE)?;
            metadata.primary_sale_happened = happened;
        }
        if let Some(mutable) = self.is_mutable {
            require(!mutable || metadata.is_mutable, IS_MUTABLE_CAN_ONLY_BE_FLIPPED_TO_FALSE)?;
            metadata.is_mutable = mutable;
        }
        Ok(())
    }

    #[inline(never)]
    fn apply_collection(&self, metadata: &mut Metadata) -> Result {
        let before = metadata.fields.collection;
        match self.collection {
            Toggle::Keep => {}
            Toggle::Clear => {
                let verified = before.is_some_and(|collection| collection.verified);
                require(!verified, CANNOT_UPDATE_VERIFIED_COLLECTION)?;
                metadata.fields.collection = None;
            }
            Toggle::Set(new) => {
                checks::check_collection(before, Some(new))?;
                metadata.fields.collection = Some(new);
            }
        }
        Ok(())
    }
}
