//! The mint of a new asset: made by `Create`, or checked if it exists.

use crate::calls::{CreateAccount, InitializeExtensions, InitializeMint};
use crate::error::{
    INVALID_METADATA_POINTER, INVALID_MINT_CLOSE_AUTHORITY, INVALID_MINT_EXTENSION_TYPE,
    INVALID_MINT_FOR_TOKEN_STANDARD, MINT_IS_NOT_SIGNER, MISSING_SPL_TOKEN_PROGRAM,
};
use crate::state::{require, NON_FUNGIBLE};
use sluice_program::bytes::Reader;
use sluice_program::token::{extensions, Extension, Mint, MINT_LEN, PROGRAMS, PROGRAM_2022};
use sluice_program::{Account, Address, ProgramError, Result};

/// The length of a mint of Token-2022 with a close authority and a metadata pointer.
const MINT_2022_LEN: usize = 270;
const DEFAULT_DECIMALS: u8 = 9;
/// The extensions that the mint of a non-fungible token may have.
const ALLOWED: [u16; 3] = [
    Extension::MintCloseAuthority as u16,
    Extension::NonTransferable as u16,
    Extension::MetadataPointer as u16,
];

/// The accounts of a mint that does not exist yet.
pub struct NewMint<'a> {
    pub mint: Account<'a>,
    pub metadata: Account<'a>,
    pub authority: Account<'a>,
    pub payer: Account<'a>,
    pub token_program: Option<Account<'a>>,
}

impl NewMint<'_> {
    /// Makes the mint, whose address signs. A non-fungible token has no decimals, whatever is asked for.
    #[inline(never)]
    pub fn run(&self, standard: u8, decimals: Option<u8>) -> Result {
        require(self.mint.is_signer(), MINT_IS_NOT_SIGNER)?;
        let program = self.token_program.ok_or_else(|| ProgramError::from(MISSING_SPL_TOKEN_PROGRAM))?;
        let extended = *program.address() == PROGRAM_2022;
        let space = if extended { MINT_2022_LEN } else { MINT_LEN };
        CreateAccount { payer: self.payer, account: self.mint, space, owner: program.address() }.invoke()?;
        if extended {
            InitializeExtensions { program, mint: self.mint, metadata: self.metadata.address() }.invoke()?;
        }
        if !PROGRAMS.contains(program.address()) {
            return Err(ProgramError::INCORRECT_PROGRAM_ID);
        }
        let decimals = if standard == NON_FUNGIBLE { 0 } else { decimals.unwrap_or(DEFAULT_DECIMALS) };
        InitializeMint { program, mint: self.mint, decimals, authority: self.authority.address() }.invoke()
    }
}

/// Checks a mint that exists: its close authority and metadata pointer, if it has them, are the metadata account. The
/// mint of a non-fungible token has no other extensions but one, no decimals, and at most one token.
#[inline(never)]
pub fn check(mint: Account, metadata: &Address, standard: u8) -> Result {
    // Who owns the account is told by the creation of the metadata, in the public program's order.
    let content = if PROGRAMS.contains(&mint.owner()) { Some(Mint::load(mint, "mint")?) } else { None };
    let data = mint.data()?;
    if standard == NON_FUNGIBLE {
        let allowed = extensions(&data).all(|(kind, _)| ALLOWED.contains(&kind));
        require(allowed, INVALID_MINT_EXTENSION_TYPE)?;
    }
    for (kind, body) in extensions(&data) {
        let mut from = Reader::new(body);
        if kind == Extension::MintCloseAuthority as u16 {
            require(from.address().as_ref() == Some(metadata), INVALID_MINT_CLOSE_AUTHORITY)?;
        } else if kind == Extension::MetadataPointer as u16 {
            let fixed = from.address() == Some(Address::ZERO);
            require(fixed && from.address().as_ref() == Some(metadata), INVALID_METADATA_POINTER)?;
        }
    }
    let fits = |mint: &Mint| mint.decimals == 0 && mint.supply <= 1;
    require(standard != NON_FUNGIBLE || content.as_ref().is_none_or(fits), INVALID_MINT_FOR_TOKEN_STANDARD)
}
