//! The payment of a taker to the maker and to the fee account.

use sluice_program::token::{SyncNative, TransferChecked};
use sluice_program::{system, Account, Result};

use crate::errors::INVALID_MAKER_OUTPUT_ACCOUNT;

/// How a taker pays.
pub struct Payout<'a> {
    pub taker: Account<'a>,
    /// The taker's token account, or None if it pays in SOL itself.
    pub source: Option<Account<'a>>,
    pub mint: Account<'a>,
    pub decimals: u8,
    pub token_program: Account<'a>,
}

impl<'a> Payout<'a> {
    /// Pays the maker into its token account, or in SOL itself if there is none. Fails with
    /// InvalidMakerOutputAccount if that would have to come out of a token account: nothing here unwraps SOL.
    pub fn pay_maker(&self, maker: Account, destination: Option<Account>, amount: u64) -> Result {
        match (self.source, destination) {
            (_, Some(account)) => self.pay(account, amount),
            (None, None) => self.pay_lamports(maker, amount),
            (Some(_), None) => Err(INVALID_MAKER_OUTPUT_ACCOUNT.of("maker_output_mint_account")),
        }
    }

    /// Pays into a token account. Nothing is called for an amount of zero.
    pub fn pay(&self, destination: Account, amount: u64) -> Result {
        if amount == 0 {
            return Ok(());
        }
        match self.source {
            Some(source) => self.transfer(source, destination, amount),
            None => {
                self.pay_lamports(destination, amount)?;
                SyncNative { program: self.token_program, account: destination }.invoke()
            }
        }
    }

    fn pay_lamports(&self, to: Account, lamports: u64) -> Result {
        if lamports == 0 {
            return Ok(());
        }
        system::Transfer { from: self.taker, to, lamports }.invoke(&[])
    }

    #[inline(never)]
    fn transfer(&self, source: Account, destination: Account, amount: u64) -> Result {
        TransferChecked {
            program: self.token_program,
            source,
            mint: self.mint,
            destination,
            authority: self.taker,
            amount,
            decimals: self.decimals,
        }
        .invoke(&[])
    }
}
