//! The accounts of a pool that is created: their checks, and the creation of the new ones.

use crate::error::TRYING_TO_INIT_PAYER;
use crate::events;
use crate::keys::{AUTHORITY, POOL_SEED, PROGRAM, VAULT_SEED};
use crate::state::config::PoolConfig;
use crate::state::pool::VirtualPool;
use crate::token::Token;
use sluice_program::anchor::{self, CreateDerived};
use sluice_program::layout::Layout;
use sluice_program::token::{self, InitializeAccount3, InitializeMint2, Mint, PROGRAMS};
use sluice_program::{system, Account, Address, Result};

/// The accounts that both instructions have.
pub struct Context<'a> {
    pub config: Account<'a>,
    pub authority: Account<'a>,
    pub creator: Account<'a>,
    pub base: Token<'a>,
    pub quote: Token<'a>,
    pub pool: Account<'a>,
    pub payer: Account<'a>,
    pub system_program: Account<'a>,
    pub event_authority: Account<'a>,
}

impl Context<'_> {
    /// Checks the accounts that exist before, of which `token_program` is the base token's. Returns the configuration.
    #[inline(never)]
    pub fn check(&self, token_program: &Address) -> Result<PoolConfig> {
        let config = PoolConfig::load(self.config, "config")?;
        anchor::check_signer(self.creator, "creator")?;
        Mint::load(self.quote.mint, "quote_mint")?;
        anchor::check_signer(self.payer, "payer")?;
        anchor::check_program(self.quote.program, &PROGRAMS, "token_quote_program")?;
        anchor::check_program(self.base.program, core::slice::from_ref(token_program), "token_program")?;
        anchor::check_program(self.system_program, &[system::PROGRAM], "system_program")?;
        for (account, name) in [
            (self.base.mint, "base_mint"),
            (self.pool, "pool"),
            (self.base.vault, "base_vault"),
            (self.quote.vault, "quote_vault"),
            (self.payer, "payer"),
        ] {
            anchor::check_writable(account, name)?;
        }
        if config.quote_mint != *self.quote.mint.address() {
            return Err(anchor::CONSTRAINT_HAS_ONE.of("config"));
        }
        anchor::check_address(self.authority, &AUTHORITY, "pool_authority")?;
        anchor::check_signer(self.base.mint, "base_mint")?;
        if !self.quote.mint.is_owned_by(self.quote.program.address()) {
            return Err(anchor::CONSTRAINT_MINT_TOKEN_PROGRAM.of("quote_mint"));
        }
        events::check_authority(self.event_authority)?;
        Ok(config)
    }

    /// Creates an account of `space` bytes for the base mint. Fails with TryingToInitPayerAsProgramAccount if it is the
    /// payer.
    pub fn create_mint(&self, space: usize) -> Result {
        let (payer, account, owner) = (self.payer, self.base.mint, self.base.program.address());
        if account.is(payer) {
            return Err(TRYING_TO_INIT_PAYER.of("base_mint"));
        }
        system::Create { payer, account, space, owner }.invoke(&[])
    }

    /// Makes the account a mint, whose tokens the pools' authority mints and nobody freezes.
    pub fn initialize_mint(&self, decimals: u8) -> Result {
        let (program, mint) = (self.base.program, self.base.mint);
        InitializeMint2 { program, mint, decimals, mint_authority: self.authority.address() }.invoke()
    }

    /// Creates the pool and its vaults.
    #[inline(never)]
    pub fn create_pool(&self) -> Result {
        let [base, quote] = [self.base.mint.address(), self.quote.mint.address()];
        let (larger, smaller) = if base > quote { (base, quote) } else { (quote, base) };
        CreateDerived {
            payer: self.payer,
            account: self.pool,
            seeds: &[POOL_SEED, &self.config.address().0, &larger.0, &smaller.0],
            space: VirtualPool::SPACE,
            program: &PROGRAM,
            owner: &PROGRAM,
            name: "pool",
        }
        .invoke()?;
        self.create_vault(&self.base, "base_vault")?;
        self.create_vault(&self.quote, "quote_vault")
    }

    /// Creates a vault with room for the extensions that the mint requires of token accounts.
    #[inline(never)]
    fn create_vault(&self, token: &Token, name: &str) -> Result {
        let Token { mint, vault, program } = *token;
        let space = if mint.is_owned_by(&token::PROGRAM) {
            token::ACCOUNT_LEN
        } else {
            token::account_size(&mint.data()?, false)
        };
        CreateDerived {
            payer: self.payer,
            account: vault,
            seeds: &[VAULT_SEED, &mint.address().0, &self.pool.address().0],
            space,
            program: &PROGRAM,
            owner: program.address(),
            name,
        }
        .invoke()?;
        InitializeAccount3 { program, account: vault, mint, owner: self.authority.address() }.invoke()
    }
}
