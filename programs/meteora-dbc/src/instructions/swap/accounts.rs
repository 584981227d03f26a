//! The accounts of a swap, and their checks in the order of the public program.

use crate::events;
use crate::keys::{AUTHORITY, PROGRAM};
use crate::state::pool::VirtualPool;
use crate::token::Token;
use sluice_program::token::{Mint, TokenAccount, PROGRAMS};
use sluice_program::{anchor, bytes, Account, Address, ProgramError, Result};

const ACCOUNTS: usize = 15;

/// The accounts in the interface's order. Pairs are of the base and of the quote token.
pub struct Context<'s, 'a> {
    pub authority: Account<'a>,
    pub config: Account<'a>,
    pub pool: Account<'a>,
    pub input: Account<'a>,
    pub output: Account<'a>,
    pub vaults: [Account<'a>; 2],
    pub mints: [Account<'a>; 2],
    pub payer: Account<'a>,
    pub programs: [Account<'a>; 2],
    pub referral: Option<Account<'a>>,
    pub event_authority: Account<'a>,
    /// The accounts after those of the interface: the instructions sysvar, if it is given.
    pub rest: &'s [Account<'a>],
}

impl<'s, 'a> Context<'s, 'a> {
    /// Names the accounts.
    #[inline(never)]
    pub fn of(accounts: &'s [Account<'a>]) -> Result<Self> {
        let (&[authority, config, pool, input, output, base_vault, quote_vault, ref others @ ..], rest) =
            anchor::accounts::<ACCOUNTS>(accounts)?;
        let &[base_mint, quote_mint, payer, base_program, quote_program, referral, event_authority, _] =
            others;
        Ok(Self {
            authority,
            config,
            pool,
            input,
            output,
            vaults: [base_vault, quote_vault],
            mints: [base_mint, quote_mint],
            payer,
            programs: [base_program, quote_program],
            referral: anchor::optional(referral, &PROGRAM),
            event_authority,
            rest,
        })
    }

    /// Checks the accounts. The configuration and the pool must have been read before.
    #[inline(never)]
    pub fn check(&self, pool: &VirtualPool) -> Result {
        self.check_types()?;
        anchor::check_address(self.authority, &AUTHORITY, "pool_authority")?;
        self.check_pool(pool)?;
        self.check_rest()
    }

    #[inline(never)]
    fn check_types(&self) -> Result {
        TokenAccount::load(self.input, "input_token_account")?;
        TokenAccount::load(self.output, "output_token_account")?;
        TokenAccount::load(self.vaults[0], "base_vault")?;
        TokenAccount::load(self.vaults[1], "quote_vault")?;
        Mint::load(self.mints[0], "base_mint")?;
        Mint::load(self.mints[1], "quote_mint")?;
        anchor::check_signer(self.payer, "payer")?;
        anchor::check_program(self.programs[0], &PROGRAMS, "token_base_program")?;
        anchor::check_program(self.programs[1], &PROGRAMS, "token_quote_program")?;
        if let Some(referral) = self.referral {
            TokenAccount::load(referral, "referral_token_account")?;
        }
        Ok(())
    }

    fn check_pool(&self, pool: &VirtualPool) -> Result {
        anchor::check_writable(self.pool, "pool")?;
        let named = [pool.vaults[0], pool.vaults[1], pool.config];
        let given = [self.vaults[0], self.vaults[1], self.config];
        if named.iter().zip(given).all(|(named, given)| named == given.address()) {
            Ok(())
        } else {
            Err(anchor::CONSTRAINT_HAS_ONE.of("pool"))
        }
    }

    #[inline(never)]
    fn check_rest(&self) -> Result {
        anchor::check_writable(self.input, "input_token_account")?;
        anchor::check_writable(self.output, "output_token_account")?;
        check_vault(&self.token(0), "base_vault")?;
        check_vault(&self.token(1), "quote_vault")?;
        if let Some(referral) = self.referral {
            anchor::check_writable(referral, "referral_token_account")?;
        }
        // The last account can be any if the program is given in the place of the referrer.
        events::check_authority(self.event_authority)
    }

    /// Returns the accounts of the base token (0) or of the quote token (1).
    pub fn token(&self, side: usize) -> Token<'a> {
        Token { mint: self.mints[side], vault: self.vaults[side], program: self.programs[side] }
    }

    /// Returns whether the base token is bought. Every input that is not the base token counts as the quote token,
    /// because the token program refuses a wrong one.
    pub fn is_purchase(&self) -> Result<bool> {
        Ok(mint_of(self.input)? != *self.mints[0].address())
    }
}

/// Checks that a vault is writable, and of the token's mint and program.
#[inline(never)]
pub fn check_vault(token: &Token, name: &str) -> Result {
    anchor::check_writable(token.vault, name)?;
    if mint_of(token.vault)? != *token.mint.address() {
        return Err(anchor::CONSTRAINT_TOKEN_MINT.of(name));
    }
    if !token.vault.is_owned_by(token.program.address()) {
        return Err(anchor::CONSTRAINT_TOKEN_TOKEN_PROGRAM.of(name));
    }
    Ok(())
}

fn mint_of(holding: Account) -> Result<Address> {
    bytes::address_at(&holding.data()?, 0).ok_or(ProgramError::INVALID_ACCOUNT_DATA)
}
