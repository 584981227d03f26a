//! The instruction `Burn`.

use super::{check_programs, leave_out, whole};
use crate::addresses::{self, EditionSeeds};
use crate::edition::MasterEdition;
use crate::error::{
    DERIVED_KEY_INVALID, INCORRECT_OWNER, INSUFFICIENT_TOKEN_BALANCE, INVALID_AMOUNT, INVALID_AUTHORITY_TYPE,
    INVALID_PARENT_ACCOUNTS, INVALID_TOKEN_PROGRAM, MASTER_EDITION_HAS_PRINTS, MINT_MISMATCH,
    MISSING_COLLECTION_METADATA, MISSING_EDITION, NOT_A_MASTER_EDITION, NOT_A_MEMBER_OF_COLLECTION,
    NUMERICAL_OVERFLOW,
};
use crate::standard::Asset;
use crate::state::{self, require, Metadata, FUNGIBLE, FUNGIBLE_ASSET, NON_FUNGIBLE};
use sluice_program::bytes::{self, Reader};
use sluice_program::sysvar::Rent;
use sluice_program::token::{self, TokenAccount, PROGRAMS};
use sluice_program::{anchor, Account, Address, ProgramError, Result};

/// Arguments: version, amount.
pub fn read(args: &[u8]) -> Option<u64> {
    let from = &mut Reader::new(args);
    if from.u8()? != 0 {
        return None;
    }
    let amount = from.u64()?;
    whole(from, amount)
}

/// The accounts of the instruction that are used more than once.
struct Parties<'a> {
    program: &'a Address,
    authority: Account<'a>,
    collection: Option<Account<'a>>,
    account: Account<'a>,
    edition: Option<Account<'a>>,
    mint: Account<'a>,
    token: Account<'a>,
    /// Whether one of the four accounts of a print's master edition is given.
    has_parent: bool,
    has_record: bool,
    token_program: Account<'a>,
}

/// Accounts: authority, which signs and gets the rent, metadata of the collection, metadata, edition, mint, token account,
/// four of the master edition of a print, token record, system program, instructions sysvar, token program.
pub fn run(program: &Address, accounts: &[Account], amount: u64) -> Result {
    let &[authority, collection, account, edition, mint, token, master, master_mint, master_token, marker, record, system, sysvar, token_program, ..] =
        accounts
    else {
        return Err(ProgramError::NOT_ENOUGH_ACCOUNT_KEYS);
    };
    if !authority.is_signer() {
        return Err(ProgramError::MISSING_REQUIRED_SIGNATURE);
    }
    require(PROGRAMS.contains(token_program.address()), INVALID_TOKEN_PROGRAM)?;
    let token_owner = token_program.address();
    let belongs =
        account.is_owned_by(program) && mint.is_owned_by(token_owner) && token.is_owned_by(token_owner);
    require(belongs, INCORRECT_OWNER)?;
    let optional = [edition, master, marker, record].map(|account| (account, program));
    let parents_tokens = [master_mint, master_token].map(|account| (account, token_owner));
    for (account, owner) in optional.into_iter().chain(parents_tokens) {
        let belongs = account.address() == program || account.is_owned_by(owner);
        require(belongs, INCORRECT_OWNER)?;
    }
    check_programs(system, sysvar)?;
    let parents = [master, master_mint, master_token, marker];
    let parties = Parties {
        program,
        authority,
        collection: anchor::optional(collection, program),
        account,
        edition: anchor::optional(edition, program),
        mint,
        token,
        has_parent: parents.iter().any(|account| account.address() != program),
        has_record: record.address() != program,
        token_program,
    };
    let bytes = state::copy_of(account, program)?;
    let metadata = Metadata::decode(&bytes)?;
    let held = parties.check_holding(&metadata, amount)?;
    let standard = Asset { mint, edition: parties.edition, program }.find_standard(&metadata)?;
    match standard {
        FUNGIBLE | FUNGIBLE_ASSET => {
            require(amount >= 1, INVALID_AMOUNT)?;
            parties.burn_tokens(amount, amount == held)
        }
        NON_FUNGIBLE => {
            require(amount == 1, INVALID_AMOUNT)?;
            parties.burn_non_fungible(&metadata)
        }
        _ => Err(leave_out("this stand-in has no prints")),
    }
}

impl Parties<'_> {
    /// Checks that the authority holds the amount, and returns how much it holds.
    #[inline(never)]
    fn check_holding(&self, metadata: &Metadata, amount: u64) -> Result<u64> {
        let holding = TokenAccount::load(self.token, "token")?;
        let is_holder = holding.owner == *self.authority.address();
        if !is_holder && self.has_record {
            return Err(leave_out("this stand-in has no delegates"));
        }
        require(is_holder, INVALID_AUTHORITY_TYPE)?;
        require(holding.mint == *self.mint.address(), MINT_MISMATCH)?;
        require(holding.amount >= amount, INSUFFICIENT_TOKEN_BALANCE)?;
        require(holding.mint == metadata.mint, MINT_MISMATCH)?;
        Ok(holding.amount)
    }

    #[inline(never)]
    fn burn_tokens(&self, amount: u64, closes: bool) -> Result {
        let burn = token::Burn {
            program: self.token_program,
            source: self.token,
            mint: self.mint,
            authority: self.authority,
            amount,
        };
        burn.invoke(&[])?;
        if !closes {
            return Ok(());
        }
        let close = token::CloseAccount {
            program: self.token_program,
            account: self.token,
            destination: self.authority,
            authority: self.authority,
        };
        close.invoke(&[])
    }

    /// Burns the one token and closes its account, the metadata and the master edition. The fee of the metadata stays.
    #[inline(never)]
    fn burn_non_fungible(&self, metadata: &Metadata) -> Result {
        let edition = self.edition.ok_or_else(|| ProgramError::from(MISSING_EDITION))?;
        require(!self.has_parent, INVALID_PARENT_ACCOUNTS)?;
        let content = MasterEdition::read(edition, self.program)?;
        let content = content.ok_or_else(|| ProgramError::from(NOT_A_MASTER_EDITION))?;
        require(content.prints == 0, MASTER_EDITION_HAS_PRINTS)?;
        // The public program closes whatever edition it is given. Here it must be the one of the mint.
        let seeds =
            EditionSeeds { mint: self.mint.address(), bump: metadata.edition_bump, program: self.program };
        require(seeds.matches(edition.address())?, DERIVED_KEY_INVALID)?;
        self.burn_tokens(1, true)?;
        close_metadata(self.account, self.authority)?;
        edition.close(self.authority)?;
        self.leave_collection(metadata)
    }

    #[inline(never)]
    fn leave_collection(&self, metadata: &Metadata) -> Result {
        let Some(link) = metadata.fields.collection.filter(|link| link.verified) else { return Ok(()) };
        let parent = self.collection.ok_or_else(|| ProgramError::from(MISSING_COLLECTION_METADATA))?;
        if state::is_burned(parent)? {
            let (expected, _) = addresses::find_metadata(&link.mint, self.program)?;
            return require(*parent.address() == expected, NOT_A_MEMBER_OF_COLLECTION);
        }
        require(parent.is_owned_by(self.program), INCORRECT_OWNER)?;
        let bytes = state::copy_of(parent, self.program)?;
        let mut collection = Metadata::decode(&bytes)?;
        require(collection.mint == link.mint, NOT_A_MEMBER_OF_COLLECTION)?;
        if collection.resize_collection(u64::checked_sub)? {
            collection.store(parent)?;
        }
        Ok(())
    }
}

/// Pays the rent of the account to `receiver`. If it holds a fee too, one zero byte remains with it.
#[inline(never)]
fn close_metadata(account: Account, receiver: Account) -> Result {
    let rent = Rent::get()?.minimum_balance(account.data_len());
    let fee = account.lamports().checked_sub(rent).ok_or_else(|| ProgramError::from(NUMERICAL_OVERFLOW))?;
    if fee == 0 {
        return account.close(receiver);
    }
    let sum = receiver.lamports().checked_add(rent).ok_or_else(|| ProgramError::from(NUMERICAL_OVERFLOW))?;
    receiver.set_lamports(sum);
    account.set_lamports(fee);
    account.resize(1)?;
    bytes::put(&mut account.data_mut()?, 0, &[0])
}
