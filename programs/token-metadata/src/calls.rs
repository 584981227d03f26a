//! Calls of the system and token programs that only this program makes.

use sluice_program::bytes::Writer;
use sluice_program::sysvar::Rent;
use sluice_program::{associated_token, cpi, system, Account, Address, Result};

/// Creates `account` with exactly the rent of `space`. The system program refuses an address that holds lamports.
pub struct CreateAccount<'a> {
    pub payer: Account<'a>,
    pub account: Account<'a>,
    pub space: usize,
    pub owner: &'a Address,
}

impl CreateAccount<'_> {
    pub fn invoke(&self) -> Result {
        let mut data = [0; 52];
        let mut writer = Writer::new(&mut data);
        writer.u32(0)?;
        writer.u64(Rent::get()?.minimum_balance(self.space))?;
        writer.u64(self.space as u64)?;
        writer.address(self.owner)?;
        let accounts = [self.payer.writable_signer(), self.account.writable_signer()];
        cpi::invoke(&system::PROGRAM, &accounts, &data, &[])
    }
}

/// Initializes a mint whose mint authority is also its freeze authority.
pub struct InitializeMint<'a> {
    pub program: Account<'a>,
    pub mint: Account<'a>,
    pub decimals: u8,
    pub authority: &'a Address,
}

impl InitializeMint<'_> {
    pub fn invoke(&self) -> Result {
        let mut data = [0; 67];
        let mut writer = Writer::new(&mut data);
        writer.u8(20)?;
        writer.u8(self.decimals)?;
        writer.address(self.authority)?;
        writer.u8(1)?;
        writer.address(self.authority)?;
        cpi::invoke(self.program.address(), &[self.mint.writable()], &data, &[])
    }
}

/// Makes `metadata` the close authority of a mint of Token-2022 and the place where its metadata is. It must be called
/// before the mint is initialized.
pub struct InitializeExtensions<'a> {
    pub program: Account<'a>,
    pub mint: Account<'a>,
    pub metadata: &'a Address,
}

impl InitializeExtensions<'_> {
    pub fn invoke(&self) -> Result {
        let mut close_authority = [0; 34];
        let mut writer = Writer::new(&mut close_authority);
        writer.u8(25)?;
        writer.u8(1)?;
        writer.address(self.metadata)?;
        cpi::invoke(self.program.address(), &[self.mint.writable()], &close_authority, &[])?;
        let mut pointer = [0; 66];
        let mut writer = Writer::new(&mut pointer);
        writer.u8(39)?;
        writer.u8(0)?;
        // Nobody may change the pointer.
        writer.address(&Address::ZERO)?;
        writer.address(self.metadata)?;
        cpi::invoke(self.program.address(), &[self.mint.writable()], &pointer, &[])
    }
}

/// The rights of a mint that [`SetAuthority`] gives away.
#[derive(Clone, Copy)]
#[repr(u8)]
pub enum MintRight {
    MintTokens = 0,
    FreezeAccount = 1,
}

/// Gives a right of a mint to another address. `authority`, which has it, signs.
pub struct SetAuthority<'a> {
    pub program: Account<'a>,
    pub mint: Account<'a>,
    pub authority: Account<'a>,
    pub right: MintRight,
    pub to: &'a Address,
}

impl SetAuthority<'_> {
    pub fn invoke(&self) -> Result {
        let mut data = [0; 35];
        let mut writer = Writer::new(&mut data);
        writer.u8(6)?;
        writer.u8(self.right as u8)?;
        writer.u8(1)?;
        writer.address(self.to)?;
        let accounts = [self.mint.writable(), self.authority.readonly_signer()];
        cpi::invoke(self.program.address(), &accounts, &data, &[])
    }
}

/// Creates the associated token account of `wallet`. The associated token program refuses any other address, and one
/// that is in use.
pub struct CreateAssociated<'a> {
    pub payer: Account<'a>,
    pub account: Account<'a>,
    pub wallet: Account<'a>,
    pub mint: Account<'a>,
    pub system_program: Account<'a>,
    pub token_program: Account<'a>,
}

impl CreateAssociated<'_> {
    pub fn invoke(&self) -> Result {
        let accounts = [
            self.payer.writable_signer(),
            self.account.writable(),
            self.wallet.readonly(),
            self.mint.readonly(),
            self.system_program.readonly(),
            self.token_program.readonly(),
        ];
        cpi::invoke(&associated_token::PROGRAM, &accounts, &[0], &[])
    }
}
