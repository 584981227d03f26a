//! The mints of outcome tokens, in Token-2022: what the base crate has no calls for.

use sluice_program::bytes::Writer;
use sluice_program::cpi::{self, Signers};
use sluice_program::sysvar::Rent;
use sluice_program::token::InitializeMint2;
use sluice_program::{anchor, memory, system, token, Account, Result};

use crate::addresses::{MINT_SEED, PROGRAM};

pub const DECIMALS: u8 = 6;

/// A mint with the three extensions that are written before it is initialized.
const SPACE: usize = 166 + (4 + 32) + (4 + 32) + (4 + 64);
/// What the metadata adds: type and length, update authority, mint, three texts with their lengths, and no further fields.
const METADATA: usize = 4 + 32 + 32 + 4 + 4 + 4 + 4;
/// The first bytes of `spl_token_metadata_interface:initialize_account`.
const INITIALIZE_METADATA: [u8; 8] = [210, 225, 30, 162, 88, 184, 77, 141];

/// The accounts by which a mint is made.
pub struct OutcomeMint<'a> {
    pub payer: Account<'a>,
    pub mint: Account<'a>,
    /// Gets all authorities of the mint.
    pub round: Account<'a>,
    pub token_program: Account<'a>,
}

impl OutcomeMint<'_> {
    /// Creates the mint of a side, without its metadata, but with the rent for it.
    #[inline(never)]
    pub fn create(&self, side: u8, texts: usize) -> Result {
        let round = self.round.address();
        anchor::CreateDerived {
            payer: self.payer,
            account: self.mint,
            seeds: &[MINT_SEED, &round.0, &[side]],
            space: SPACE,
            program: &PROGRAM,
            owner: &token::PROGRAM_2022,
            name: "mint",
        }
        .invoke()?;
        let needed = Rent::get()?.minimum_balance(SPACE + METADATA + texts);
        let missing = needed.saturating_sub(self.mint.lamports());
        if missing > 0 {
            system::Transfer { from: self.payer, to: self.mint, lamports: missing }.invoke(&[])?;
        }
        self.extend(25, &[1])?;
        self.extend(35, &[])?;
        self.extend(39, &[0])?;
        InitializeMint2 {
            program: self.token_program,
            mint: self.mint,
            decimals: DECIMALS,
            mint_authority: round,
        }
        .invoke()
    }

    /// Initializes an extension, whose instruction has that tag, then those bytes, then the authority; and for the pointer to
    /// the metadata the address of the mint itself.
    #[inline(never)]
    fn extend(&self, tag: u8, before: &[u8]) -> Result {
        let mut data = [0; 66];
        let mut to = Writer::new(&mut data);
        to.u8(tag)?;
        to.bytes(before)?;
        to.address(self.round.address())?;
        if tag == 39 {
            to.address(self.mint.address())?;
        }
        cpi::invoke(self.token_program.address(), &[self.mint.writable()], to.written(), &[])
    }

    /// Writes name and symbol into the mint. The round signs.
    #[inline(never)]
    pub fn describe(&self, name: &Name, symbol: &str, signers: Signers) -> Result {
        let mut data = [0; 96];
        let mut to = Writer::new(&mut data);
        to.array(&INITIALIZE_METADATA)?;
        for text in [name.bytes(), symbol.as_bytes(), &[]] {
            to.u32(text.len() as u32)?;
            to.bytes(text)?;
        }
        let accounts =
            [self.mint.writable(), self.round.readonly(), self.mint.readonly(), self.round.readonly_signer()];
        cpi::invoke(self.token_program.address(), &accounts, to.written(), signers)
    }
}

/// The name of an outcome token, such as `BTC up 14:05 UTC`.
pub struct Name {
    bytes: [u8; Name::CAPACITY],
    len: usize,
}

impl Name {
    const CAPACITY: usize = 32;

    /// Composes the name of a side's token, with the minute of the day in which the round closes.
    #[inline(never)]
    pub fn new(asset: &[u8; 8], word: &str, close_time: u64) -> Self {
        let mut name = Self { bytes: [0; Self::CAPACITY], len: 0 };
        let asset_len = asset.iter().take_while(|byte| **byte != 0).count();
        let minutes = close_time / 60 % 1_440;
        name.append(&asset[..asset_len]);
        name.append(b" ");
        name.append(word.as_bytes());
        name.append(b" ");
        name.append(&digits(minutes / 60));
        name.append(b":");
        name.append(&digits(minutes % 60));
        name.append(b" UTC");
        name
    }

    pub fn bytes(&self) -> &[u8] {
        &self.bytes[..self.len]
    }

    fn append(&mut self, text: &[u8]) {
        memory::copy(&mut self.bytes[self.len..self.len + text.len()], text);
        self.len += text.len();
    }
}

fn digits(number: u64) -> [u8; 2] {
    [b'0' + (number / 10) as u8, b'0' + (number % 10) as u8]
}

/// Fails with InvalidProgramId unless the account is Token-2022.
pub fn check_token_2022(account: Account) -> Result {
    anchor::check_program(account, &[token::PROGRAM_2022], "token_2022_program")
}

/// Returns the number of bytes of the texts that a mint is described by.
pub fn count_bytes(name: &Name, symbol: &str) -> usize {
    name.bytes().len() + symbol.len()
}
