//! The accounts of a new position, and the creation of its token.

use super::{create_derived, emit};
use crate::error::TRYING_TO_INIT_PAYER;
use crate::keys::{AUTHORITY, POSITION_SEED, POSITION_TOKEN_SEED, PROGRAM};
use crate::state::position::{self, Position};
use crate::token::with_authority;
use sluice_program::bytes::Writer;
use sluice_program::sysvar::Rent;
use sluice_program::token::{self, InitializeAccount3, MintTo};
use sluice_program::{anchor, cpi, system, Account, Result};

const CREATED: [u8; 8] = anchor::event("EvtCreatePosition");

/// The length of a mint with a metadata pointer and a close authority: the common part, one byte with the account's
/// type, and both extensions with their headers.
const MINT_LEN: usize = 165 + 1 + (4 + 64) + (4 + 32);

/// The metadata of a position's mint.
const NAME: &[u8] = b"Meteora Position NFT";
const SYMBOL: &[u8] = b"MPN";

const URI: &[u8] =
    b"https://raw.githubusercontent.com/MeteoraAg/token-metadata/main/meteora_position_nft.png";

/// The accounts of a position that is created.
pub struct NewPosition<'a> {
    pub owner: Account<'a>,
    pub mint: Account<'a>,
    pub holding: Account<'a>,
    pub position: Account<'a>,
    pub pool: Account<'a>,
    pub authority: Account<'a>,
    pub payer: Account<'a>,
    pub token_program: Account<'a>,
}

impl NewPosition<'_> {
    /// Checks the accounts that exist before: signers, writable accounts, programs.
    pub fn check(&self) -> Result {
        anchor::check_signer(self.payer, "payer")?;
        anchor::check_program(self.token_program, &[token::PROGRAM_2022], "token_2022_program")?;
        if !self.mint.is_signer() {
            return Err(anchor::ACCOUNT_NOT_SIGNER.of("position_nft_mint"));
        }
        for (account, name) in [
            (self.payer, "payer"),
            (self.mint, "position_nft_mint"),
            (self.holding, "position_nft_account"),
            (self.position, "position"),
        ] {
            anchor::check_writable(account, name)?;
        }
        anchor::check_address(self.authority, &AUTHORITY, "pool_authority")
    }

    /// Creates the account of the position.
    #[inline(never)]
    pub fn create_account(&self) -> Result {
        create_derived(
            self.payer,
            self.position,
            (position::LEN, &PROGRAM),
            [POSITION_SEED, &self.mint.address().0, &[]],
        )
    }

    /// Writes the position, whose only content is the liquidity. [`Self::mint_token`] mints the token.
    #[inline(never)]
    pub fn initialize(&self, liquidity: u128) -> Result {
        Position::initialize(self.position, self.pool.address(), self.mint.address(), liquidity)
    }

    /// Creates the mint and the token account. Fails with TryingToInitPayerAsProgramAccount if the mint is the payer.
    #[inline(never)]
    pub fn create_token(&self) -> Result {
        let (payer, account) = (self.payer, self.mint);
        if account.is(payer) {
            return Err(TRYING_TO_INIT_PAYER.of("position_nft_mint"));
        }
        system::Create { payer, account, space: MINT_LEN, owner: &token::PROGRAM_2022 }.invoke(&[])?;
        self.initialize_mint()?;
        let seeds = [POSITION_TOKEN_SEED, &self.mint.address().0[..], &[]];
        let space = (token::ACCOUNT_LEN, &token::PROGRAM_2022);
        create_derived(self.payer, self.holding, space, seeds)?;
        let (program, mint) = (self.token_program, self.mint);
        InitializeAccount3 { program, account: self.holding, mint, owner: self.owner.address() }.invoke()
    }

    /// The pool is the freeze authority, so that a pool's positions can be found by their mints.
    #[inline(never)]
    fn initialize_mint(&self) -> Result {
        let pointer = written::<66>(|data| {
            data.array(&[39, 0])?;
            data.address(&AUTHORITY)?;
            data.address(self.mint.address())
        })?;
        self.call_mint(&pointer)?;
        let closing = written::<34>(|data| {
            data.array(&[25, 1])?;
            data.address(&AUTHORITY)
        })?;
        self.call_mint(&closing)?;
        let mint = written::<67>(|data| {
            data.array(&[20, 0])?;
            data.address(&AUTHORITY)?;
            data.u8(1)?;
            data.address(self.pool.address())
        })?;
        self.call_mint(&mint)
    }

    fn call_mint(&self, data: &[u8]) -> Result {
        cpi::invoke(self.token_program.address(), &[self.mint.writable()], data, &[])
    }

    /// Writes the metadata, pays for its room, and mints the only token.
    #[inline(never)]
    pub fn mint_token(&self) -> Result {
        const METADATA: [u8; 8] = [210, 225, 30, 162, 88, 184, 77, 141];
        let mut buffer = [0; 160];
        let mut data = Writer::new(&mut buffer);
        data.array(&METADATA)?;
        for text in [NAME, SYMBOL, URI] {
            data.u32(text.len() as u32)?;
            data.bytes(text)?;
        }
        let (mint, authority) = (self.mint, self.authority);
        let accounts = [mint.writable(), authority.readonly(), mint.readonly(), authority.readonly_signer()];
        let program = self.token_program;
        with_authority(|signers| cpi::invoke(program.address(), &accounts, data.written(), signers))?;
        let needed = Rent::get()?.minimum_balance(mint.data_len());
        if let Some(lamports @ 1..) = needed.checked_sub(mint.lamports()) {
            system::Transfer { from: self.payer, to: mint, lamports }.invoke(&[])?;
        }
        let destination = self.holding;
        with_authority(|signers| MintTo { program, mint, destination, authority, amount: 1 }.invoke(signers))
    }

    /// Emits the event of the new position.
    pub fn emit(&self, event_authority: Account) -> Result {
        let accounts = [self.pool, self.owner, self.position, self.mint];
        emit(&CREATED, event_authority, &accounts)
    }
}

fn written<const N: usize>(write: impl FnOnce(&mut Writer) -> Result) -> Result<[u8; N]> {
    let mut data = [0; N];
    write(&mut Writer::new(&mut data))?;
    Ok(data)
}
