//! The instruction `withdraw`.

use sluice_program::anchor::{self, decoded};
use sluice_program::bytes::Reader;
use sluice_program::token::{self, amount_of, Transfer};
use sluice_program::{Account, Result};

use crate::addresses::{AUTHORITY, AUTHORITY_BUMP, AUTHORITY_SEED, RESERVE};
use crate::config::Config;
use crate::errors::{INSUFFICIENT_RESERVE, INVALID_TOKEN_ACCOUNT, ZERO_AMOUNT};

/// The operator takes USDC out of the reserve. What rounds hold cannot be taken.
pub fn run(accounts: &[Account], args: &[u8]) -> Result {
    let (accounts, _) = anchor::accounts::<6>(accounts)?;
    let &[operator, config, authority, reserve, destination, token_program] = accounts;
    let amount = decoded(Reader::new(args).u64())?;
    Config::load(config, operator)?;
    anchor::check_writable(destination, "destination")?;
    if *destination.address() == RESERVE {
        return Err(INVALID_TOKEN_ACCOUNT.of("destination"));
    }
    if amount == 0 {
        return Err(ZERO_AMOUNT.into());
    }
    Reserve { authority, tokens: reserve, token_program }.pay(destination, amount)
}

/// The accounts by which USDC leaves the reserve.
pub struct Reserve<'a> {
    pub authority: Account<'a>,
    pub tokens: Account<'a>,
    pub token_program: Account<'a>,
}

impl Reserve<'_> {
    /// Transfers USDC. Fails with InsufficientReserve if there is less, and with an error of Anchor's for other accounts.
    #[inline(never)]
    pub fn pay(&self, destination: Account, amount: u64) -> Result {
        anchor::check_address(self.authority, &AUTHORITY, "authority")?;
        anchor::check_address(self.tokens, &RESERVE, "reserve")?;
        anchor::check_program(self.token_program, &[token::PROGRAM], "token_program")?;
        if amount_of(self.tokens)? < amount {
            return Err(INSUFFICIENT_RESERVE.of("reserve"));
        }
        Transfer {
            program: self.token_program,
            source: self.tokens,
            destination,
            authority: self.authority,
            amount,
        }
        .invoke(&[&[AUTHORITY_SEED, &[AUTHORITY_BUMP]]])
    }
}
