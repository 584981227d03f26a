//! Calls of both token programs.

use crate::account::Account;
use crate::address::Address;
use crate::bytes::Writer;
use crate::cpi::{self, Signers};
use crate::error::Result;

/// Transfers `amount`. Token-2022 refuses it for mints with a transfer fee or a transfer hook. `authority` signs.
pub struct Transfer<'a> {
    pub program: Account<'a>,
    pub source: Account<'a>,
    pub destination: Account<'a>,
    pub authority: Account<'a>,
    pub amount: u64,
}

impl Transfer<'_> {
    /// Calls the token program.
    pub fn invoke(&self, signers: Signers) -> Result {
        let accounts =
            [self.source.writable(), self.destination.writable(), self.authority.readonly_signer()];
        cpi::invoke(self.program.address(), &accounts, &tagged_amount(3, self.amount), signers)
    }
}

/// Transfers `amount`, of which a transfer fee may be withheld. `authority` signs.
pub struct TransferChecked<'a> {
    pub program: Account<'a>,
    pub source: Account<'a>,
    pub mint: Account<'a>,
    pub destination: Account<'a>,
    pub authority: Account<'a>,
    pub amount: u64,
    pub decimals: u8,
}

impl TransferChecked<'_> {
    /// Calls the token program.
    pub fn invoke(&self, signers: Signers) -> Result {
        let mut data = [0; 10];
        let mut writer = Writer::new(&mut data);
        writer.u8(12)?;
        writer.u64(self.amount)?;
        writer.u8(self.decimals)?;
        let accounts = [
            self.source.writable(),
            self.mint.readonly(),
            self.destination.writable(),
            self.authority.readonly_signer(),
        ];
        cpi::invoke(self.program.address(), &accounts, &data, signers)
    }
}

/// Mints `amount` new tokens. The mint's `authority` signs.
pub struct MintTo<'a> {
    pub program: Account<'a>,
    pub mint: Account<'a>,
    pub destination: Account<'a>,
    pub authority: Account<'a>,
    pub amount: u64,
}

impl MintTo<'_> {
    /// Calls the token program.
    pub fn invoke(&self, signers: Signers) -> Result {
        let accounts = [self.mint.writable(), self.destination.writable(), self.authority.readonly_signer()];
        cpi::invoke(self.program.address(), &accounts, &tagged_amount(7, self.amount), signers)
    }
}

/// Burns `amount` tokens. The token account's `authority` signs.
pub struct Burn<'a> {
    pub program: Account<'a>,
    pub source: Account<'a>,
    pub mint: Account<'a>,
    pub authority: Account<'a>,
    pub amount: u64,
}

impl Burn<'_> {
    /// Calls the token program.
    pub fn invoke(&self, signers: Signers) -> Result {
        let accounts = [self.source.writable(), self.mint.writable(), self.authority.readonly_signer()];
        cpi::invoke(self.program.address(), &accounts, &tagged_amount(8, self.amount), signers)
    }
}

/// Closes a token account, which must be empty or hold wrapped SOL, and sends its lamports to `destination`.
/// `authority` signs.
pub struct CloseAccount<'a> {
    pub program: Account<'a>,
    pub account: Account<'a>,
    pub destination: Account<'a>,
    pub authority: Account<'a>,
}

impl CloseAccount<'_> {
    /// Calls the token program.
    pub fn invoke(&self, signers: Signers) -> Result {
        let accounts =
            [self.account.writable(), self.destination.writable(), self.authority.readonly_signer()];
        cpi::invoke(self.program.address(), &accounts, &[9], signers)
    }
}

/// Sets the amount of a wrapped SOL account to its lamports.
pub struct SyncNative<'a> {
    pub program: Account<'a>,
    pub account: Account<'a>,
}

impl SyncNative<'_> {
    /// Calls the token program.
    pub fn invoke(&self) -> Result {
        cpi::invoke(self.program.address(), &[self.account.writable()], &[17], &[])
    }
}

/// Initializes a token account in an account that the token program already owns. [`crate::system::Create`] makes
/// such an account.
pub struct InitializeAccount3<'a> {
    pub program: Account<'a>,
    pub account: Account<'a>,
    pub mint: Account<'a>,
    pub owner: &'a Address,
}

impl InitializeAccount3<'_> {
    /// Calls the token program.
    pub fn invoke(&self) -> Result {
        let mut data = [0; 33];
        let mut writer = Writer::new(&mut data);
        writer.u8(18)?;
        writer.address(self.owner)?;
        let accounts = [self.account.writable(), self.mint.readonly()];
        cpi::invoke(self.program.address(), &accounts, &data, &[])
    }
}

/// Makes the owner of a token account immutable. It must be called before the account is initialized.
pub struct InitializeImmutableOwner<'a> {
    pub program: Account<'a>,
    pub account: Account<'a>,
}

impl InitializeImmutableOwner<'_> {
    /// Calls the token program.
    pub fn invoke(&self) -> Result {
        cpi::invoke(self.program.address(), &[self.account.writable()], &[22], &[])
    }
}

/// Initializes a mint without freeze authority, in an account that the token program already owns.
pub struct InitializeMint2<'a> {
    pub program: Account<'a>,
    pub mint: Account<'a>,
    pub decimals: u8,
    pub mint_authority: &'a Address,
}

impl InitializeMint2<'_> {
    /// Calls the token program.
    pub fn invoke(&self) -> Result {
        let mut data = [0; 35];
        let mut writer = Writer::new(&mut data);
        writer.u8(20)?;
        writer.u8(self.decimals)?;
        writer.address(self.mint_authority)?;
        cpi::invoke(self.program.address(), &[self.mint.writable()], &data, &[])
    }
}

fn tagged_amount(tag: u8, amount: u64) -> [u8; 9] {
    let mut data = [tag; 9];
    data[1..].copy_from_slice(&amount.to_le_bytes());
    data
}
