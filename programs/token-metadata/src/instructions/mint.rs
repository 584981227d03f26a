//! The instruction `Mint`.

use super::Amount;
use crate::addresses::{self, EditionSeeds, EDITION, PREFIX};
use crate::calls::CreateAssociated;
use crate::error::{
    AMOUNT_MUST_BE_GREATER_THAN_ZERO, DERIVED_KEY_INVALID, EDITIONS_MUST_HAVE_EXACTLY_ONE_TOKEN,
    INCORRECT_OWNER, INVALID_MASTER_EDITION, INVALID_MINT_AUTHORITY, INVALID_TOKEN_PROGRAM, MINT_MISMATCH,
    MISSING_MASTER_EDITION_ACCOUNT, MISSING_TOKEN_OWNER_ACCOUNT, NOT_A_MASTER_EDITION,
    UPDATE_AUTHORITY_INCORRECT,
};
use crate::holding::Holding;
use crate::state::{self, require, Metadata, NON_FUNGIBLE};
use sluice_program::token::{self, PROGRAMS};
use sluice_program::{anchor, Account, Address, ProgramError, Result};

/// The accounts of the instruction that are used more than once.
struct Parties<'a> {
    program: &'a Address,
    token: Account<'a>,
    owner: Option<Account<'a>>,
    edition: Option<Account<'a>>,
    mint: Account<'a>,
    authority: Account<'a>,
    payer: Account<'a>,
    system: Account<'a>,
    token_program: Account<'a>,
}

/// Accounts: token account, its owner, metadata, master edition, token record, mint, authority and payer with a delegate
/// record between them, system program, instructions sysvar, token program, associated token program, and two of the
/// authorization rules. The authority is the update authority of a non-fungible token, and else the mint's.
pub fn run(program: &Address, accounts: &[Account], amount: &Amount) -> Result {
    let &[token, owner, metadata, edition, _record, mint, authority, _delegate, payer, system, _sysvar, token_program, _, _, _, ..] =
        accounts
    else {
        return Err(ProgramError::NOT_ENOUGH_ACCOUNT_KEYS);
    };
    amount.refuse_authorization()?;
    require(amount.atoms > 0, AMOUNT_MUST_BE_GREATER_THAN_ZERO)?;
    if !authority.is_signer() || !payer.is_signer() {
        return Err(ProgramError::MISSING_REQUIRED_SIGNATURE);
    }
    require(metadata.is_owned_by(program), INCORRECT_OWNER)?;
    let (expected, _) = addresses::find_metadata(mint.address(), program)?;
    require(*metadata.address() == expected, DERIVED_KEY_INVALID)?;
    let bytes = state::copy_of(metadata, program)?;
    let metadata = Metadata::decode(&bytes)?;
    require(metadata.mint == *mint.address(), MINT_MISMATCH)?;
    require(PROGRAMS.contains(token_program.address()), INVALID_TOKEN_PROGRAM)?;
    require(mint.is_owned_by(token_program.address()), INCORRECT_OWNER)?;
    let parties = Parties {
        program,
        token,
        owner: anchor::optional(owner, program),
        edition: anchor::optional(edition, program),
        mint,
        authority,
        payer,
        system,
        token_program,
    };
    if metadata.token_standard == Some(NON_FUNGIBLE) {
        parties.check_non_fungible(&metadata, amount.atoms)?;
        parties.prepare_token(metadata.token_standard)?;
        return parties.mint_by_edition(&metadata);
    }
    let mint_authority = token::Mint::load(mint, "mint")?.mint_authority;
    require(mint_authority.as_ref() == Some(authority.address()), INVALID_MINT_AUTHORITY)?;
    parties.prepare_token(metadata.token_standard)?;
    parties.call(authority, amount.atoms).invoke(&[])
}

impl<'a> Parties<'a> {
    #[inline(never)]
    fn check_non_fungible(&self, metadata: &Metadata, atoms: u64) -> Result {
        let edition = self.edition.ok_or_else(|| ProgramError::from(MISSING_MASTER_EDITION_ACCOUNT))?;
        let (expected, _) = addresses::find_edition(self.mint.address(), self.program)?;
        require(*edition.address() == expected, DERIVED_KEY_INVALID)?;
        let supply = token::Mint::load(self.mint, "mint")?.supply;
        require(supply == 0 && atoms == 1, EDITIONS_MUST_HAVE_EXACTLY_ONE_TOKEN)?;
        require(metadata.update_authority == *self.authority.address(), UPDATE_AUTHORITY_INCORRECT)
    }

    /// Creates the token account if it does not exist, or checks it.
    #[inline(never)]
    fn prepare_token(&self, standard: Option<u8>) -> Result {
        if self.token.data_len() != 0 {
            let holding = Holding {
                account: self.token,
                mint: self.mint,
                owner: self.owner,
                token_program: self.token_program,
            };
            return holding.check(standard);
        }
        let wallet = self.owner.ok_or_else(|| ProgramError::from(MISSING_TOKEN_OWNER_ACCOUNT))?;
        let create = CreateAssociated {
            payer: self.payer,
            account: self.token,
            wallet,
            mint: self.mint,
            system_program: self.system,
            token_program: self.token_program,
        };
        create.invoke()
    }

    #[inline(never)]
    fn mint_by_edition(&self, metadata: &Metadata) -> Result {
        let edition = self.edition.ok_or_else(|| ProgramError::from(MISSING_MASTER_EDITION_ACCOUNT))?;
        let bump = metadata.edition_bump.ok_or_else(|| ProgramError::from(NOT_A_MASTER_EDITION))?;
        let mint = self.mint.address();
        let derived = EditionSeeds { mint, bump: Some(bump), program: self.program };
        require(derived.matches(edition.address())?, INVALID_MASTER_EDITION)?;
        let seeds: &[&[u8]] = &[PREFIX, &self.program.0, &mint.0, EDITION, &[bump]];
        self.call(edition, 1).invoke(&[seeds])
    }

    fn call(&self, authority: Account<'a>, amount: u64) -> token::MintTo<'a> {
        token::MintTo {
            program: self.token_program,
            mint: self.mint,
            destination: self.token,
            authority,
            amount,
        }
    }
}
