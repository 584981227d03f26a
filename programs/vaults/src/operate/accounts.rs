//! The accounts of an operation, and the fields that are read from them.

use crate::checks::{self, same_vault, Holding, Named, Opener, Token};
use crate::error::{
    CONSTRAINT_ACCOUNT_IS_NONE, INVALID_POSITION_AUTHORITY, INVALID_POSITION_MINT,
    INVALID_POSITION_TOKEN_AMOUNT, INVALID_TICK, INVALID_VAULT_TYPE_FOR_OPERATE,
    RECIPIENT_BORROW_ACCOUNT_REQUIRED, RECIPIENT_WITHDRAW_ACCOUNT_REQUIRED,
    SIGNER_BORROW_TOKEN_ACCOUNT_REQUIRED, SIGNER_SUPPLY_TOKEN_ACCOUNT_REQUIRED,
};
use crate::keys::PROGRAM;
use crate::liquidity::{Leg, Payee, Payer, Side};
use crate::math::amount::Scale;
use crate::math::tick::{MIN_TICK, NO_TICK};
use crate::prices::Reserves;
use crate::state::branch::Branch;
use crate::state::config::Config;
use crate::state::oracle;
use crate::state::past_tick::PastTick;
use crate::state::position::Position;
use crate::state::tick::Tick;
use crate::state::vault::Vault;
use sluice_program::bytes::Reader;
use sluice_program::token::TokenAccount;
use sluice_program::{anchor, system, Account, Result};

/// The number of accounts that the interface names. Others follow.
pub const COUNT: usize = 35;

/// The accounts in the interface's order; optional places may be empty.
pub struct Accounts<'a> {
    pub signer: Account<'a>,
    signer_supply: Option<Account<'a>>,
    signer_borrow: Option<Account<'a>>,
    recipient: Option<Account<'a>>,
    recipient_borrow: Option<Account<'a>>,
    recipient_supply: Option<Account<'a>>,
    config: Account<'a>,
    pub vault: Account<'a>,
    supply_token: Account<'a>,
    borrow_token: Account<'a>,
    pub oracle: Account<'a>,
    pub position: Account<'a>,
    position_token: Account<'a>,
    pub current_tick: Account<'a>,
    pub final_tick: Account<'a>,
    pub current_past: Account<'a>,
    pub final_past: Account<'a>,
    pub new_branch: Account<'a>,
    supply_reserve: Account<'a>,
    borrow_reserve: Account<'a>,
    pub supply_position: Account<'a>,
    borrow_position: Account<'a>,
    supply_rate_model: Account<'a>,
    borrow_rate_model: Account<'a>,
    supply_vault: Account<'a>,
    borrow_vault: Account<'a>,
    supply_claim: Option<Account<'a>>,
    borrow_claim: Option<Account<'a>>,
    liquidity: Account<'a>,
    liquidity_program: Account<'a>,
    pub oracle_program: Account<'a>,
    supply_token_program: Account<'a>,
    borrow_token_program: Account<'a>,
    associated_token_program: Option<Account<'a>>,
    system_program: Account<'a>,
}

/// The fields that were read from the accounts.
pub struct Checked<'a> {
    pub config: Config,
    pub vault: Vault,
    pub position: Position,
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
            signer_supply: anchor::optional(at(1), &PROGRAM),
            signer_borrow: anchor::optional(at(2), &PROGRAM),
            recipient: anchor::optional(at(3), &PROGRAM),
            recipient_borrow: anchor::optional(at(4), &PROGRAM),
            recipient_supply: anchor::optional(at(5), &PROGRAM),
            config: at(6),
            vault: at(7),
            supply_token: at(8),
            borrow_token: at(9),
            oracle: at(10),
            position: at(11),
            position_token: at(12),
            current_tick: at(13),
            final_tick: at(14),
            current_past: at(15),
            final_past: at(16),
            new_branch: at(17),
            supply_reserve: at(18),
            borrow_reserve: at(19),
            supply_position: at(20),
            borrow_position: at(21),
            supply_rate_model: at(22),
            borrow_rate_model: at(23),
            supply_vault: at(24),
            borrow_vault: at(25),
            supply_claim: anchor::optional(at(26), &PROGRAM),
            borrow_claim: anchor::optional(at(27), &PROGRAM),
            liquidity: at(28),
            liquidity_program: at(29),
            oracle_program: at(30),
            supply_token_program: at(31),
            borrow_token_program: at(32),
            associated_token_program: anchor::optional(at(33), &PROGRAM),
            system_program: at(34),
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
        self.open_holdings(&supply, &borrow)?;
        let config = Config::load(self.config)?;
        let vault = Vault::load_writable(self.vault)?;
        let oracle_nonce = oracle::nonce(self.oracle, "oracle")?;
        same_vault(config.vault_id, vault.vault_id)?;
        checks::require(config.vault_type == 0, INVALID_VAULT_TYPE_FOR_OPERATE)?;
        self.named().check(&config)?;
        let position = self.check_position(vault.vault_id)?;
        self.check_ticks(&position)?;
        let reserves = checks::reserves(&config, self.supply_reserve, self.borrow_reserve)?;
        Ok(Checked {
            supply_scale: Scale::of(supply.decimals)?,
            borrow_scale: Scale::of(borrow.decimals)?,
            config,
            vault,
            position,
            reserves,
            supply,
            borrow,
            oracle_nonce,
        })
    }

    /// Creates the given token accounts that do not exist.
    #[inline(never)]
    fn open_holdings(&self, supply: &Token<'a>, borrow: &Token<'a>) -> Result {
        let opener = Opener {
            payer: self.signer,
            associated_token_program: self.associated_token_program,
            system_program: self.system_program,
        };
        let signer = Some(self.signer);
        let holdings = [
            (self.signer_supply, signer, supply, "signer_supply_token_account"),
            (self.signer_borrow, signer, borrow, "signer_borrow_token_account"),
            (self.recipient_borrow, self.recipient, borrow, "recipient_borrow_token_account"),
            (self.recipient_supply, self.recipient, supply, "recipient_supply_token_account"),
        ];
        for (account, owner, token, name) in holdings {
            if let Some(account) = account {
                let owner = owner.ok_or_else(|| CONSTRAINT_ACCOUNT_IS_NONE.of("recipient"))?;
                Holding { account, owner, token, name }.open(&opener)?;
            }
        }
        Ok(())
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

    /// Reads the position and checks that the given token account holds its token.
    #[inline(never)]
    fn check_position(&self, vault_id: u16) -> Result<Position> {
        let position = Position::load(self.position)?;
        same_vault(position.vault_id, vault_id)?;
        let holding = TokenAccount::load(self.position_token, "position_token_account")?;
        checks::require(holding.mint == position.mint && holding.amount == 1, INVALID_POSITION_MINT)?;
        Ok(position)
    }

    /// Fails with VaultInvalidTick unless the current tick is the position's. A position without debt must name the
    /// lowest tick.
    #[inline(never)]
    fn check_ticks(&self, position: &Position) -> Result {
        let vault_id = position.vault_id;
        let current = Tick::load(self.current_tick, "current_position_tick")?;
        same_vault(current.vault_id, vault_id)?;
        let expected = if position.tick == NO_TICK { MIN_TICK } else { position.tick };
        checks::require(current.tick == expected, INVALID_TICK)?;
        same_vault(Tick::load(self.final_tick, "final_position_tick")?.vault_id, vault_id)?;
        same_vault(PastTick::load(self.current_past, "current_position_tick_id")?.vault_id, vault_id)?;
        same_vault(PastTick::load(self.final_past, "final_position_tick_id")?.vault_id, vault_id)?;
        anchor::check_writable(self.final_past, "final_position_tick_id")?;
        same_vault(Branch::load(self.new_branch, "new_branch")?.vault_id, vault_id)?;
        anchor::check_writable(self.new_branch, "new_branch")
    }

    /// Fails with VaultInvalidPositionAuthority unless the signer holds the position's token or is its delegate.
    #[inline(never)]
    pub fn check_authority(&self) -> Result {
        let data = self.position_token.data()?;
        let signer = self.signer.address();
        if delegate_of(&data).is_some_and(|delegate| delegate.account == signer.0) {
            let whole = delegate_of(&data).is_some_and(|delegate| delegate.amount == 1);
            return checks::require(whole, INVALID_POSITION_TOKEN_AMOUNT);
        }
        checks::require(data.get(32..64) == Some(signer.as_ref()), INVALID_POSITION_AUTHORITY)
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

    /// Returns the recipient of tokens that leave the vault: the given recipient, or the signer if there is none.
    pub fn receiver(&self) -> Account<'a> {
        self.recipient.unwrap_or(self.signer)
    }

    /// Returns the signer's token account for a deposit. Fails with VaultSignerSupplyTokenAccountRequired if it was
    /// not given.
    pub fn supply_payer(&self) -> Result<Payer<'a>> {
        let account = self.signer_supply.ok_or(SIGNER_SUPPLY_TOKEN_ACCOUNT_REQUIRED)?;
        Ok(Payer { authority: self.signer, account })
    }

    /// Returns the signer's token account for a repayment. Fails with VaultSignerBorrowTokenAccountRequired if it was
    /// not given.
    pub fn borrow_payer(&self) -> Result<Payer<'a>> {
        let account = self.signer_borrow.ok_or(SIGNER_BORROW_TOKEN_ACCOUNT_REQUIRED)?;
        Ok(Payer { authority: self.signer, account })
    }

    /// Returns the recipient of a withdrawal. Fails if its token account was not given.
    pub fn supply_payee(&self, claim: bool) -> Result<Payee<'a>> {
        let account = match self.recipient {
            Some(_) => self.recipient_supply.ok_or(RECIPIENT_WITHDRAW_ACCOUNT_REQUIRED)?,
            None => self.signer_supply.ok_or(SIGNER_SUPPLY_TOKEN_ACCOUNT_REQUIRED)?,
        };
        let claim = if claim { Some(self.supply_claim) } else { None };
        Ok(Payee { owner: self.receiver().address(), account, claim })
    }

    /// Returns the recipient of a borrowed amount. Fails if its token account was not given.
    pub fn borrow_payee(&self, claim: bool) -> Result<Payee<'a>> {
        let account = match self.recipient {
            Some(_) => self.recipient_borrow.ok_or(RECIPIENT_BORROW_ACCOUNT_REQUIRED)?,
            None => self.signer_borrow.ok_or(SIGNER_BORROW_TOKEN_ACCOUNT_REQUIRED)?,
        };
        let claim = if claim { Some(self.borrow_claim) } else { None };
        Ok(Payee { owner: self.receiver().address(), account, claim })
    }
}

/// The delegate of a token account, and the amount that it may move.
struct Delegate {
    account: [u8; 32],
    amount: u64,
}

fn delegate_of(token_account: &[u8]) -> Option<Delegate> {
    let mut from = Reader::new(token_account.get(32 + 32 + 8..)?);
    if from.u32()? != 1 {
        return None;
    }
    let account = *from.array()?;
    // The state, and whether the tokens are wrapped SOL, come before the amount.
    from.bytes(1 + 4 + 8)?;
    Some(Delegate { account, amount: from.u64()? })
}
