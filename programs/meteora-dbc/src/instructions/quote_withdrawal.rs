//! What the three withdrawals of quote tokens have in common: surplus of the partner, surplus of the creator, and
//! migration fee.

use super::swap::check_vault;
use crate::error::{require, NOT_PERMIT_TO_DO_THIS_ACTION};
use crate::events;
use crate::keys::AUTHORITY;
use crate::state::config::PoolConfig;
use crate::state::pool::VirtualPool;
use crate::token::Token;
use sluice_program::token::{Mint, TokenAccount, PROGRAMS};
use sluice_program::{anchor, Account, Address, Result};

/// The accounts in the interface's order.
pub struct QuoteWithdrawal<'a> {
    authority: Account<'a>,
    config: Account<'a>,
    pool: Account<'a>,
    receiver: Account<'a>,
    quote: Token<'a>,
    owner: Account<'a>,
    event_authority: Account<'a>,
}

/// The checked state of the curve.
pub struct Checked {
    pub config: PoolConfig,
    pub pool: VirtualPool,
}

impl<'a> QuoteWithdrawal<'a> {
    /// Names the accounts. Fails with AccountNotEnoughKeys if there are too few.
    pub fn of(accounts: &[Account<'a>]) -> Result<Self> {
        let (&[authority, config, pool, receiver, vault, mint, owner, token_program, event_authority, _], _) =
            anchor::accounts::<10>(accounts)?;
        let quote = Token { mint, vault, program: token_program };
        Ok(Self { authority, config, pool, receiver, quote, owner, event_authority })
    }

    /// Checks the accounts. `owner` is the interface's name of the one that signs.
    #[inline(never)]
    pub fn check(&self, owner: &str) -> Result<Checked> {
        let config = PoolConfig::load(self.config, "config")?;
        let pool = VirtualPool::load(self.pool, "virtual_pool")?;
        TokenAccount::load(self.receiver, "token_quote_account")?;
        TokenAccount::load(self.quote.vault, "quote_vault")?;
        Mint::load(self.quote.mint, "quote_mint")?;
        anchor::check_signer(self.owner, owner)?;
        anchor::check_program(self.quote.program, &PROGRAMS, "token_quote_program")?;
        anchor::check_address(self.authority, &AUTHORITY, "pool_authority")?;
        if *self.quote.mint.address() != config.quote_mint {
            return Err(anchor::CONSTRAINT_HAS_ONE.of("config"));
        }
        anchor::check_writable(self.pool, "virtual_pool")?;
        if *self.quote.vault.address() != pool.vaults[1] || *self.config.address() != pool.config {
            return Err(anchor::CONSTRAINT_HAS_ONE.of("virtual_pool"));
        }
        anchor::check_writable(self.receiver, "token_quote_account")?;
        check_vault(&self.quote, "quote_vault")?;
        events::check_authority(self.event_authority)?;
        Ok(Checked { config, pool })
    }

    /// Returns the address of the account that signed.
    pub fn owner(&self) -> &'a Address {
        self.owner.address()
    }

    /// Pays the amount and writes the pool.
    #[inline(never)]
    pub fn pay(&self, pool: &VirtualPool, amount: u64) -> Result {
        self.quote.pay_out(self.receiver, self.authority, amount)?;
        pool.save(self.pool)
    }

    /// Emits the event with the pool, the amount and the bytes that follow them.
    #[inline(never)]
    pub fn emit(&self, tag: &[u8; 8], amount: u64, rest: &[u8]) -> Result {
        events::emit(self.event_authority, tag, |event| {
            event.address(self.pool.address())?;
            event.u64(amount)?;
            event.bytes(rest)
        })
    }
}

impl Checked {
    /// Fails with NotPermitToDoThisAction unless the curve raised its threshold.
    pub fn require_complete(&self) -> Result {
        require(self.pool.is_complete(&self.config), NOT_PERMIT_TO_DO_THIS_ACTION)
    }
}
