//! The associated token program, which gives each wallet a canonical token account per mint.

use crate::account::Account;
use crate::address::Address;
use crate::cpi;
use crate::error::Result;

pub const PROGRAM: Address = Address::from_base58("ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL");

/// Returns the address of `wallet`'s account for `mint` in `token_program`.
pub fn find(wallet: &Address, mint: &Address, token_program: &Address) -> Result<Address> {
    Address::find(&[&wallet.0, &token_program.0, &mint.0], &PROGRAM).map(|(address, _)| address)
}

/// Creates the account unless it already exists. `payer` signs.
pub struct CreateIdempotent<'a> {
    pub payer: Account<'a>,
    pub account: Account<'a>,
    pub wallet: Account<'a>,
    pub mint: Account<'a>,
    pub system_program: Account<'a>,
    pub token_program: Account<'a>,
}

impl CreateIdempotent<'_> {
    /// Calls the associated token program.
    pub fn invoke(&self) -> Result {
        let accounts = [
            self.payer.writable_signer(),
            self.account.writable(),
            self.wallet.readonly(),
            self.mint.readonly(),
            self.system_program.readonly(),
            self.token_program.readonly(),
        ];
        cpi::invoke(&PROGRAM, &accounts, &[1], &[])
    }
}
