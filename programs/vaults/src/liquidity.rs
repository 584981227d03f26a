//! Calls to the liquidity program, for which the vault's address signs.

use crate::checks::Token;
use crate::error::CLAIM_ACCOUNT_REQUIRED;
use crate::state::config::Config;
use sluice_lending::calls;
pub use sluice_lending::calls::{Leg, CLAIM};
use sluice_program::{token, Account, Address, Result};

/// One token of a vault at the liquidity program.
#[derive(Clone, Copy)]
pub struct Side<'a> {
    pub leg: Leg,
    /// The vault's configuration, which is its address at the liquidity program.
    pub vault: Account<'a>,
    pub token: Token<'a>,
    pub reserve: Account<'a>,
    pub position: Account<'a>,
    pub rate_model: Account<'a>,
    pub reserve_vault: Account<'a>,
    pub liquidity: Account<'a>,
    pub program: Account<'a>,
}

/// Who pays tokens in.
pub struct Payer<'a> {
    pub authority: Account<'a>,
    pub account: Account<'a>,
}

/// Who gets tokens that leave, and how.
pub struct Payee<'a> {
    pub owner: &'a Address,
    pub account: Account<'a>,
    /// Whether the tokens are to be claimed later instead, and the account for that.
    pub claim: Option<Option<Account<'a>>>,
}

impl<'a> Side<'a> {
    /// Supplies or pays back: announces the tokens, moves them, and has them counted.
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

    /// Withdraws or borrows. VaultClaimAccountRequired for a claim without account.
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
