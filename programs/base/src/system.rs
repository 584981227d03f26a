//! Calls to the system program.

use crate::account::Account;
use crate::address::Address;
use crate::bytes::Writer;
use crate::cpi::{self, Signers};
use crate::error::Result;
use crate::sysvar::Rent;

pub const PROGRAM: Address = Address::ZERO;

/// Transfers lamports. `from` signs.
pub struct Transfer<'a> {
    pub from: Account<'a>,
    pub to: Account<'a>,
    pub lamports: u64,
}

impl Transfer<'_> {
    /// Calls the system program.
    pub fn invoke(&self, signers: Signers) -> Result {
        let mut data = [0; 12];
        let mut writer = Writer::new(&mut data);
        writer.u32(2)?;
        writer.u64(self.lamports)?;
        cpi::invoke(&PROGRAM, &[self.from.writable_signer(), self.to.writable()], &data, signers)
    }
}

/// Creates `account` with `space` zero bytes, owned by `owner` and exempt from rent. It succeeds also if the address
/// already holds lamports. `payer` and `account` sign. The system program refuses an account that is in use.
pub struct Create<'a> {
    pub payer: Account<'a>,
    pub account: Account<'a>,
    pub space: usize,
    pub owner: &'a Address,
}

impl Create<'_> {
    /// Calls the system program.
    pub fn invoke(&self, signers: Signers) -> Result {
        let needed = Rent::get()?.minimum_balance(self.space);
        let present = self.account.lamports();
        if present == 0 {
            return self.create(needed, signers);
        }
        if present < needed {
            Transfer { from: self.payer, to: self.account, lamports: needed - present }.invoke(signers)?;
        }
        self.allocate(signers)?;
        self.assign(signers)
    }

    fn create(&self, lamports: u64, signers: Signers) -> Result {
        let mut data = [0; 52];
        let mut writer = Writer::new(&mut data);
        writer.u32(0)?;
        writer.u64(lamports)?;
        writer.u64(self.space as u64)?;
        writer.address(self.owner)?;
        let accounts = [self.payer.writable_signer(), self.account.writable_signer()];
        cpi::invoke(&PROGRAM, &accounts, &data, signers)
    }

    fn allocate(&self, signers: Signers) -> Result {
        let mut data = [0; 12];
        let mut writer = Writer::new(&mut data);
        writer.u32(8)?;
        writer.u64(self.space as u64)?;
        cpi::invoke(&PROGRAM, &[self.account.writable_signer()], &data, signers)
    }

    fn assign(&self, signers: Signers) -> Result {
        let mut data = [0; 36];
        let mut writer = Writer::new(&mut data);
        writer.u32(1)?;
        writer.address(self.owner)?;
        cpi::invoke(&PROGRAM, &[self.account.writable_signer()], &data, signers)
    }
}
