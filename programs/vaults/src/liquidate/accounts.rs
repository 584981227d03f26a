//! The accounts of a liquidation, and the fields that are read from them.

use crate::checks::{self, same_vault, Holding, Named, Opener, Token};
use crate::error::INVALID_VAULT_TYPE_FOR_OPERATE;
use crate::keys::PROGRAM;
use crate::liquidity::{Leg, Payee, Payer, Side};
use crate::math::amount::Scale;
use crate::prices::Reserves;
use crate::state::branch::Branch;
use crate::state::config::Config;
use crate::state::oracle;
use crate::state::vault::Vault;
use sluice_program::{anchor, system, Account, Result};

/// The number of accounts that the interface names. Others follow.
pub const COUNT: usize = 26;

/// The accounts in the interface's order.
pub struct Accounts<'a> {
    pub signer: Account<'a>,
    signer_token: Account<'a>,
    pub to: Account<'a>,
    to_token: Account<'a>,
    config: Account<'a>,
    pub vault: Account<'a>,
    supply_token: Account<'a>,
    borrow_token: Account<'a>,
    pub oracle: Account<'a>,
    pub new_branch: Account<'a>,
    supply_reserve: Account<'a>,
    borrow_reserve: Account<'a>,
    supply_position: Account<'a>,
    borrow_position: Account<'a>,
    supply_rate_model: Account<'a>,
    borrow_rate_model: Account<'a>,
    supply_claim: Option<Account<'a>>,
    liquidity: Account<'a>,
    liquidity_program: Account<'a>,
    supply_vault: Account<'a>,
    borrow_vault: Account<'a>,
    supply_token_program: Account<'a>,
    borrow_token_program: Account<'a>,
    system_program: Account<'a>,
    associated_token_program: Option<Account<'a>>,
    pub oracle_program: Account<'a>,
}

/// The fields that were read from the accounts.
pub struct Checked<'a> {
    pub config: Config,
    pub vault: Vault,
    pub reserves: Reserves,
    pub supply: Token<'a>,
    pub borrow: Token<'a>,
    pub supply_scale: Scale,
    pub borrow_scale: Scale,
    pub oracle_nonce: u16,
}

impl<'a> Accounts<'a> {
    /// Names the accounts without checking them.
    #[inline(never)]
    pub fn of(accounts: &[Account<'a>; COUNT]) -> Self {
        let at = |index: usize| accounts[index];
        Self {
            signer: at(0),
            signer_token: at(1),
            to: at(2),
            to_token: at(3),
            config: at(4),
            vault: at(5),
            supply_token: at(6),
            borrow_token: at(7),
            oracle: at(8),
            new_branch: at(9),
            supply_reserve: at(10),
            borrow_reserve: at(11),
            supply_position: at(12),
            borrow_position: at(13),
            supply_rate_model: at(14),
            borrow_rate_model: at(15),
            supply_claim: anchor::optional(at(16), &PROGRAM),
            liquidity: at(17),
            liquidity_program: at(18),
            supply_vault: at(19),
            borrow_vault: at(20),
            supply_token_program: at(21),
            borrow_token_program: at(22),
            system_program: at(23),
            associated_token_program: anchor::optional(at(24), &PROGRAM),
            oracle_program: at(25),
        }
    }

    /// Checks the accounts and reads them. Fails with the error of the first wrong account.
    #[inline(never)]
    pub fn check(&self) -> Result<Checked<'a>> {
        anchor::check_signer(self.signer, "signer")?;
        anchor::check_writable(self.signer, "signer")?;
        let supply = Token::load(self.supply_token, self.supply_token_program, "supply_token")?;
        let borrow = Token::load(self.borrow_token, self.borrow_token_program, "borrow_token")?;
        anchor::check_program(self.system_program, &[system::PROGRAM], "system_program")?;
        self.check_holdings(&supply, &borrow)?;
        let config = Config::load(self.config)?;
        let vault = Vault::load_writable(self.vault)?;
        let oracle_nonce = oracle::nonce(self.oracle, "oracle")?;
        same_vault(config.vault_id, vault.vault_id)?;
        checks::require(config.vault_type == 0, INVALID_VAULT_TYPE_FOR_OPERATE)?;
        self.named().check(&config)?;
        same_vault(Branch::load(self.new_branch, "new_branch")?.vault_id, vault.vault_id)?;
        anchor::check_writable(self.new_branch, "new_branch")?;
        let reserves = checks::reserves(&config, self.supply_reserve, self.borrow_reserve)?;
        Ok(Checked {
            supply_scale: Scale::of(supply.decimals)?,
            borrow_scale: Scale::of(borrow.decimals)?,
            config,
            vault,
            reserves,
            supply,
            borrow,
            oracle_nonce,
        })
    }

    /// Checks the liquidator's token account, which must exist, and creates the receiver's if it does not exist.
    #[inline(never)]
    fn check_holdings(&self, supply: &Token<'a>, borrow: &Token<'a>) -> Result {
        Holding {
            account: self.signer_token,
            owner: self.signer,
            token: borrow,
            name: "signer_token_account",
        }
        .check()?;
        let opener = Opener {
            payer: self.signer,
            associated_token_program: self.associated_token_program,
            system_program: self.system_program,
        };
        Holding { account: self.to_token, owner: self.to, token: supply, name: "to_token_account" }
            .open(&opener)
    }

    fn named(&self) -> Named<'a> {
        Named {
            supply_token: self.supply_token,
            borrow_token: self.borrow_token,
            oracle: self.oracle,
            liquidity_program: self.liquidity_program,
            oracle_program: self.oracle_program,
        }
    }

    /// Returns the supplied token's accounts at the liquidity program.
    pub fn supply_side(&self, token: &Token<'a>) -> Side<'a> {
        Side {
            leg: Leg::Supply,
            vault: self.config,
            token: *token,
            reserve: self.supply_reserve,
            position: self.supply_position,
            rate_model: self.supply_rate_model,
            reserve_vault: self.supply_vault,
            liquidity: self.liquidity,
            program: self.liquidity_program,
        }
    }

    /// Returns the borrowed token's accounts at the liquidity program.
    pub fn borrow_side(&self, token: &Token<'a>) -> Side<'a> {
        Side {
            leg: Leg::Borrow,
            vault: self.config,
            token: *token,
            reserve: self.borrow_reserve,
            position: self.borrow_position,
            rate_model: self.borrow_rate_model,
            reserve_vault: self.borrow_vault,
            liquidity: self.liquidity,
            program: self.liquidity_program,
        }
    }

    /// Returns the liquidator, who pays the debt back.
    pub fn payer(&self) -> Payer<'a> {
        Payer { authority: self.signer, account: self.signer_token }
    }

    /// Returns the recipient of the collateral.
    pub fn payee(&self, claim: bool) -> Payee<'a> {
        let claim = if claim { Some(self.supply_claim) } else { None };
        Payee { owner: self.to.address(), account: self.to_token, claim }
    }
}
