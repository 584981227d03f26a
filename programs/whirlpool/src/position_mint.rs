//! The token of a position in Token-2022. The position itself is the mint's every authority.

use crate::keys::POSITION_SEED;
use sluice_program::bytes::Writer;
use sluice_program::sysvar::Rent;
use sluice_program::token::{MintTo, ACCOUNT_LEN, PROGRAM_2022};
use sluice_program::{anchor, cpi, system, Account, ProgramError, Result};

/// The extensions follow the common part and the byte with the account's type. Each extension has a header of 4
/// bytes.
const EXTENSIONS: usize = ACCOUNT_LEN + 1;
const HEAD: usize = 4;
const CLOSE_AUTHORITY_LEN: usize = HEAD + 32;
const POINTER_LEN: usize = HEAD + 64;

const SYMBOL: &[u8] = b"OWP";
const URI_BASE: &[u8] = b"https://metadata.orca.so/positions/";
/// The name consists of the symbol, a space, four characters, three dots and four characters of the mint's address.
const NAME_LEN: usize = 15;
const MAX_URI_LEN: usize = URI_BASE.len() + 44;

/// The discriminator of the instruction of Token-2022's metadata interface that initializes metadata.
const DESCRIBE: [u8; 8] = [210, 225, 30, 162, 88, 184, 77, 141];
/// The system program's error for an account that exists.
const ALREADY_IN_USE: ProgramError = ProgramError::custom(0);

/// The accounts with which a position's token is created.
pub struct PositionMint<'a> {
    pub program: Account<'a>,
    pub mint: Account<'a>,
    pub funder: Account<'a>,
    pub position: Account<'a>,
    pub bump: u8,
    pub with_metadata: bool,
    /// Whether the token cannot be transferred from the account to which it is minted.
    pub soulbound: bool,
}

impl<'a> PositionMint<'a> {
    fn len(&self) -> usize {
        let pointer = if self.with_metadata { POINTER_LEN } else { 0 };
        EXTENSIONS + CLOSE_AUTHORITY_LEN + pointer + if self.soulbound { HEAD } else { 0 }
    }

    /// Calls an instruction of the token program that has only the mint as account.
    fn call_mint(&self, data: &[u8]) -> Result {
        cpi::invoke(self.program.address(), &[self.mint.writable()], data, &[])
    }

    /// Calls `run` with the seeds with which the position signs.
    #[inline(always)]
    fn with_signer<T>(&self, run: impl FnOnce(cpi::Signers) -> T) -> T {
        run(&[&[POSITION_SEED, &self.mint.address().0, &[self.bump]]])
    }
}

/// Creates the mint. Fails with AccountOwnedByWrongProgram if the account exists.
#[inline(never)]
pub fn create(token: &PositionMint) -> Result {
    if !token.mint.is_owned_by(&system::PROGRAM) {
        return Err(anchor::ACCOUNT_OWNED_BY_WRONG_PROGRAM.into());
    }
    if token.mint.is(token.funder) {
        return Err(ALREADY_IN_USE);
    }
    let (payer, account, space) = (token.funder, token.mint, token.len());
    system::Create { payer, account, space, owner: &PROGRAM_2022 }.invoke(&[])?;

    let authority = token.position.address();
    let mut close_authority = [25; 34];
    let mut writer = Writer::new(&mut close_authority[1..]);
    writer.u8(1)?;
    writer.address(authority)?;
    token.call_mint(&close_authority)?;
    if token.with_metadata {
        // The pointer has no authority, so it cannot be changed.
        let mut pointer = [0; 66];
        let mut writer = Writer::new(&mut pointer);
        writer.array(&[39, 0])?;
        writer.array(&[0; 32])?;
        writer.address(token.mint.address())?;
        token.call_mint(&pointer)?;
    }
    if token.soulbound {
        token.call_mint(&[32])?;
    }
    // The mint has no decimals. The position has its mint and freeze authority.
    let mut mint = [0; 67];
    let mut writer = Writer::new(&mut mint);
    writer.array(&[20, 0])?;
    writer.address(authority)?;
    writer.u8(1)?;
    writer.address(authority)?;
    token.call_mint(&mint)
}

/// Writes name, symbol and link into the mint as metadata. The mint's account grows for that.
#[inline(never)]
pub fn describe(token: &PositionMint, update_authority: Account) -> Result {
    let mut buffer = [0; 8 + 3 * 4 + NAME_LEN + SYMBOL.len() + MAX_URI_LEN];
    let mut writer = Writer::new(&mut buffer);
    writer.array(&DESCRIBE)?;
    let mint = token.mint.address().to_base58();
    let mint = mint.bytes();
    writer.u32(NAME_LEN as u32)?;
    writer.bytes(b"OWP ")?;
    writer.bytes(&mint[..4])?;
    writer.bytes(b"...")?;
    writer.bytes(&mint[mint.len() - 4..])?;
    writer.u32(SYMBOL.len() as u32)?;
    writer.bytes(SYMBOL)?;
    let position = token.position.address().to_base58();
    let position = position.bytes();
    writer.u32((URI_BASE.len() + position.len()) as u32)?;
    writer.bytes(URI_BASE)?;
    writer.bytes(position)?;

    let data = writer.written();
    // The metadata in the mint are two addresses, the three texts, and an empty list of additional fields.
    let len = token.len() + HEAD + 2 * 32 + (data.len() - DESCRIBE.len()) + 4;
    let lamports = Rent::get()?.minimum_balance(len).saturating_sub(token.mint.lamports());
    system::Transfer { from: token.funder, to: token.mint, lamports }.invoke(&[])?;
    let accounts = [
        token.mint.writable(),
        update_authority.readonly(),
        token.mint.readonly(),
        token.position.readonly_signer(),
    ];
    token.with_signer(|signers| cpi::invoke(token.program.address(), &accounts, data, signers))
}

/// Mints the token, and removes the mint authority so that no other can be minted.
#[inline(never)]
pub fn mint_only_one(token: &PositionMint, destination: Account) -> Result {
    let (program, mint, authority) = (token.program, token.mint, token.position);
    token
        .with_signer(|signers| MintTo { program, mint, destination, authority, amount: 1 }.invoke(signers))?;
    // SetAuthority of the token program removes the mint authority.
    const TO_NONE: [u8; 3] = [6, 0, 0];
    let accounts = [mint.writable(), authority.readonly_signer()];
    token.with_signer(|signers| cpi::invoke(program.address(), &accounts, &TO_NONE, signers))
}
