//! Calls to the liquidity program. The vault's address signs them.

use crate::checks::Token;
use crate::error::CLAIM_ACCOUNT_REQUIRED;
use crate::state::config::Config;
use sluice_lending::calls;
pub use sluice_lending::calls::{Leg, CLAIM};
use sluice_program::{token, Account, Address, Result};

/// One of a vault's tokens at the liquidity program.
#[derive(Clone, Copy)]
pub struct Side<'a> {
    pub leg: Leg,
    /// The vault's configuration. Its address is the protocol at the liquidity program.
    pub vault: Account<'a>,
    pub token: Token<'a>,
    pub reserve: Account<'a>,
    pub position: Account<'a>,
    pub rate_model: Account<'a>,
    pub reserve_vault: Account<'a>,
    pub liquidity: Account<'a>,
    pub program: Account<'a>,
}

/// The wallet that pays tokens in.
pub struct Payer<'a> {
    pub authority: Account<'a>,
    pub account: Account<'a>,
}

/// The recipient of tokens that leave, and the way in which they are paid.
pub struct Payee<'a> {
    pub owner: &'a Address,
    pub account: Account<'a>,
    /// None if the tokens are paid at once. Otherwise they are claimed later, and this is the account for that if it
    /// was given.
    pub claim: Option<Option<Account<'a>>>,
}

impl<'a> Side<'a> {
    /// Supplies or repays: announces the tokens, transfers them, and makes the liquidity program count them.
    #[inline(never)]
    pub fn pay_in(&self, config: &Config, amount: u64, from: &Payer) -> Result {
        let side = self.at_liquidity();
        config.sign(|seeds| side.announce(seeds))?;
        token::TransferChecked {
            program: self.token.program,
            source: from.account,
            mint: self.token.mint,
            destination: self.reserve_vault,
            authority: from.authority,
            amount,
            decimals: self.token.decimals,
        }
        .invoke(&[])?;
        config.sign(|seeds| side.pay_in(amount, seeds))
    }

    /// Withdraws or borrows. Fails with VaultClaimAccountRequired if the tokens are to be claimed later and no
    /// account was given.
    #[inline(never)]
    pub fn pay_out(&self, config: &Config, amount: u64, to: &Payee) -> Result {
        let claim = match to.claim {
            Some(account) => Some(account.ok_or(CLAIM_ACCOUNT_REQUIRED)?),
            None => None,
        };
        let payee = calls::Payee { owner: to.owner, account: to.account, claim };
        let side = self.at_liquidity();
        config.sign(|seeds| side.pay_out(amount, &payee, seeds))
    }

    #[inline(always)]
    fn at_liquidity(&self) -> calls::Side<'a> {
        calls::Side {
            leg: self.leg,
            protocol: self.vault,
            mint: self.token.mint,
            reserve: self.reserve,
            position: self.position,
            rate_model: self.rate_model,
            vault: self.reserve_vault,
            liquidity: self.liquidity,
            program: self.program,
            token_program: self.token.program,
        }
    }
}
