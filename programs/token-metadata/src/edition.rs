//! The master edition, which makes a mint a non-fungible token: it takes over the rights to mint and to freeze.
//!
//! It has [`LEN`] bytes: the kind of account (6), the number of prints, optionally how many prints there may be, and two
//! flags that stay 0 here.

use crate::addresses::{self, EDITION, PREFIX};
use crate::calls::{MintRight, SetAuthority};
use crate::error::{
    DERIVED_KEY_INVALID, EDITIONS_MUST_HAVE_EXACTLY_ONE_TOKEN, EDITION_MINT_DECIMALS_SHOULD_BE_ZERO,
    INCORRECT_OWNER, INVALID_MINT_AUTHORITY, INVALID_TOKEN_PROGRAM, MINT_MISMATCH, NOT_MINT_AUTHORITY,
    NO_FREEZE_AUTHORITY_SET, UPDATE_AUTHORITY_INCORRECT, UPDATE_AUTHORITY_IS_NOT_SIGNER,
};
use crate::state::{self, require, Metadata, NON_FUNGIBLE};
use sluice_program::bytes::{Reader, Writer};
use sluice_program::sysvar::Rent;
use sluice_program::token::{Mint, PROGRAMS};
use sluice_program::{system, Account, Address, Result};

const LEN: usize = 20;
/// The first byte of a master edition.
const KEY: u8 = 6;

/// The first byte of a print of a master edition.
pub const PRINT_KEY: u8 = 1;

/// The content of a master edition.
pub struct MasterEdition {
    pub prints: u64,
    /// None if there is no limit.
    pub most_prints: Option<u64>,
}

impl MasterEdition {
    /// Returns None if the account is no master edition of this program.
    pub fn read(account: Account, program: &Address) -> Result<Option<Self>> {
        if !account.is_owned_by(program) {
            return Ok(None);
        }
        let data = account.data()?;
        let mut from = Reader::new(&data);
        Ok(from.u8().filter(|key| *key == KEY).and_then(|_| {
            Some(Self { prints: from.u64()?, most_prints: state::optional(&mut from, Reader::u64)? })
        }))
    }
}

/// The accounts of the creation of a master edition.
pub struct MakeEdition<'a> {
    pub program: &'a Address,
    pub edition: Account<'a>,
    pub mint: Account<'a>,
    pub update_authority: Account<'a>,
    pub mint_authority: Account<'a>,
    pub payer: Account<'a>,
    pub metadata: Account<'a>,
    pub token_program: Account<'a>,
}

impl MakeEdition<'_> {
    /// Creates the account and gives it the rights to mint and to freeze. `allows` says which supplies the mint may
    /// have.
    #[inline(never)]
    pub fn run(&self, most_prints: Option<u64>, allows: fn(u64) -> bool) -> Result {
        let bytes = state::copy_of(self.metadata, self.program)?;
        let mut metadata = Metadata::decode(&bytes)?;
        let bump = self.check(&metadata, allows)?;
        self.allocate(bump)?;
        let mut data = self.edition.data_mut()?;
        let mut to = Writer::new(&mut data);
        to.u8(KEY)?;
        to.u64(0)?;
        to.u8(most_prints.is_some() as u8)?;
        if let Some(most) = most_prints {
            to.u64(most)?;
        }
        drop(data);
        if self.metadata.is_writable() {
            metadata.token_standard = Some(NON_FUNGIBLE);
            metadata.store(self.metadata)?;
        }
        self.take_rights()
    }

    /// Returns the bump of the edition's address.
    #[inline(never)]
    fn check(&self, metadata: &Metadata, allows: fn(u64) -> bool) -> Result<u8> {
        let (expected, bump) = addresses::find_edition(self.mint.address(), self.program)?;
        require(*self.edition.address() == expected, DERIVED_KEY_INVALID)?;
        require(PROGRAMS.contains(self.token_program.address()), INVALID_TOKEN_PROGRAM)?;
        require(self.mint.is_owned_by(self.token_program.address()), INCORRECT_OWNER)?;
        let mint = Mint::load(self.mint, "mint")?;
        require(mint.mint_authority.as_ref() == Some(self.mint_authority.address()), INVALID_MINT_AUTHORITY)?;
        require(self.mint_authority.is_signer(), NOT_MINT_AUTHORITY)?;
        require(metadata.mint == *self.mint.address(), MINT_MISMATCH)?;
        require(mint.decimals == 0, EDITION_MINT_DECIMALS_SHOULD_BE_ZERO)?;
        require(metadata.update_authority == *self.update_authority.address(), UPDATE_AUTHORITY_INCORRECT)?;
        require(self.update_authority.is_signer(), UPDATE_AUTHORITY_IS_NOT_SIGNER)?;
        require(allows(mint.supply), EDITIONS_MUST_HAVE_EXACTLY_ONE_TOKEN)?;
        Ok(bump)
    }

    #[inline(never)]
    fn allocate(&self, bump: u8) -> Result {
        let lamports = Rent::get()?.minimum_balance(LEN).saturating_sub(self.edition.lamports());
        if lamports > 0 {
            system::Transfer { from: self.payer, to: self.edition, lamports }.invoke(&[])?;
        }
        let seeds: &[&[u8]] = &[PREFIX, &self.program.0, &self.mint.address().0, EDITION, &[bump]];
        system::Create { payer: self.payer, account: self.edition, space: LEN, owner: self.program }
            .invoke(&[seeds])
    }

    #[inline(never)]
    fn take_rights(&self) -> Result {
        let call = |right| SetAuthority {
            program: self.token_program,
            mint: self.mint,
            authority: self.mint_authority,
            right,
            to: self.edition.address(),
        };
        call(MintRight::MintTokens).invoke()?;
        require(Mint::load(self.mint, "mint")?.freeze_authority.is_some(), NO_FREEZE_AUTHORITY_SET)?;
        call(MintRight::FreezeAccount).invoke()
    }
}
