//! Payments out of a round's vault.

use sluice_program::token::{self, amount_of, Transfer};
use sluice_program::{anchor, Account, Result};

use crate::addresses::RESERVE;
use crate::errors::NO_LIQUIDITY;
use crate::round::{check_vault, Round};

/// The accounts by which USDC leaves a vault.
pub struct Vault<'a> {
    pub round: Account<'a>,
    pub tokens: Account<'a>,
    pub token_program: Account<'a>,
}

impl<'a> Vault<'a> {
    /// Checks the accounts. Fails with InvalidAccount unless the tokens are the vault of the round, and with
    /// InvalidProgramId unless the program is the token program.
    pub fn open(round: Account<'a>, tokens: Account<'a>, token_program: Account<'a>) -> Result<Self> {
        check_vault(tokens, round)?;
        anchor::check_program(token_program, &[token::PROGRAM], "token_program")?;
        Ok(Self { round, tokens, token_program })
    }

    /// Transfers USDC. Fails with NoLiquidity if there is less.
    #[inline(never)]
    pub fn pay(&self, round: &Round, destination: Account, amount: u64) -> Result {
        if amount_of(self.tokens)? < amount {
            return Err(NO_LIQUIDITY.of("vault"));
        }
        round.sign(|signers| {
            Transfer {
                program: self.token_program,
                source: self.tokens,
                destination,
                authority: self.round,
                amount,
            }
            .invoke(signers)
        })
    }

    /// Transfers all but `kept` to the reserve, and returns how much that was.
    #[inline(never)]
    pub fn return_rest(&self, round: &Round, reserve: Account, kept: u64) -> Result<u64> {
        anchor::check_address(reserve, &RESERVE, "reserve")?;
        let rest = amount_of(self.tokens)?.checked_sub(kept).ok_or_else(|| NO_LIQUIDITY.of("vault"))?;
        if rest > 0 {
            self.pay(round, reserve, rest)?;
        }
        Ok(rest)
    }
}
