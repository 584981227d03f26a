//! The accounts of a migration.

use crate::instructions::swap::check_vault;
use crate::keys::{AUTHORITY, DAMM_V2_PROGRAM, PROGRAM};
use crate::state::config::PoolConfig;
use crate::state::pool::VirtualPool;
use crate::token::Token;
use sluice_program::token::{TokenAccount, PROGRAMS};
use sluice_program::{anchor, system, Account, Result};

/// The accounts of a position: the mint and the holding of its token, and the position.
#[derive(Clone, Copy)]
pub struct Position<'a> {
    pub mint: Account<'a>,
    pub holding: Account<'a>,
    pub position: Account<'a>,
}

/// The accounts in the interface's order, but those of the base and of the quote token in pairs.
pub struct Context<'a> {
    pub virtual_pool: Account<'a>,
    pub config: Account<'a>,
    pub authority: Account<'a>,
    pub pool: Account<'a>,
    pub first: Position<'a>,
    second: [Option<Account<'a>>; 3],
    pub damm_authority: Account<'a>,
    pub damm_program: Account<'a>,
    /// Mint, vault of the curve and token program.
    pub tokens: [Token<'a>; 2],
    /// The vaults of the new pool.
    pub vaults: [Account<'a>; 2],
    pub payer: Account<'a>,
    pub token_2022_program: Account<'a>,
    pub damm_event_authority: Account<'a>,
    pub system_program: Account<'a>,
}

/// The checked state, and the balances of the curve's vaults.
pub struct Checked {
    pub config: PoolConfig,
    pub virtual_pool: VirtualPool,
    pub held: [u64; 2],
}

impl<'a> Context<'a> {
    /// Names the accounts. The one after the virtual pool is not used.
    #[inline(never)]
    pub fn of(accounts: &[Account<'a>; 25]) -> Self {
        let &[virtual_pool, _, config, authority, pool, mint, holding, position, ref rest @ ..] = accounts;
        let &[second_mint, second_holding, second_position, damm_authority, damm_program, ref rest @ ..] =
            rest;
        let &[base_mint, quote_mint, vault_a, vault_b, base_vault, quote_vault, payer, ref rest @ ..] = rest;
        let &[base_program, quote_program, token_2022_program, damm_event_authority, system_program] = rest;
        let second = [second_mint, second_holding, second_position];
        Self {
            virtual_pool,
            config,
            authority,
            pool,
            first: Position { mint, holding, position },
            second: second.map(|account| anchor::optional(account, &PROGRAM)),
            damm_authority,
            damm_program,
            tokens: [
                Token { mint: base_mint, vault: base_vault, program: base_program },
                Token { mint: quote_mint, vault: quote_vault, program: quote_program },
            ],
            vaults: [vault_a, vault_b],
            payer,
            token_2022_program,
            damm_event_authority,
            system_program,
        }
    }

    /// Returns the accounts of the second position, or None if one of them is left out.
    pub fn second(&self) -> Option<Position<'a>> {
        let [mint, holding, position] = self.second;
        Some(Position { mint: mint?, holding: holding?, position: position? })
    }

    /// Checks the accounts. Fails with the error of the first wrong one.
    #[inline(never)]
    pub fn check(&self) -> Result<Checked> {
        let virtual_pool = VirtualPool::load(self.virtual_pool, "virtual_pool")?;
        let config = PoolConfig::load(self.config, "config")?;
        let held = self.check_kinds()?;
        anchor::check_writable(self.virtual_pool, "virtual_pool")?;
        let [base, quote] = &self.tokens;
        let named = [virtual_pool.vaults[0], virtual_pool.vaults[1], virtual_pool.config];
        if named != [base.vault, quote.vault, self.config].map(|account| *account.address()) {
            return Err(anchor::CONSTRAINT_HAS_ONE.of("virtual_pool"));
        }
        anchor::check_writable(self.authority, "pool_authority")?;
        anchor::check_address(self.authority, &AUTHORITY, "pool_authority")?;
        self.check_positions()?;
        anchor::check_address(self.damm_program, &DAMM_V2_PROGRAM, "amm_program")?;
        anchor::check_writable(base.mint, "base_mint")?;
        anchor::check_writable(quote.mint, "quote_mint")?;
        anchor::check_writable(self.vaults[0], "token_a_vault")?;
        anchor::check_writable(self.vaults[1], "token_b_vault")?;
        check_vault(base, "base_vault")?;
        check_vault(quote, "quote_vault")?;
        anchor::check_writable(self.payer, "payer")?;
        Ok(Checked { config, virtual_pool, held })
    }

    /// Checks signers, programs and the types of the vaults. Returns their balances.
    #[inline(never)]
    fn check_kinds(&self) -> Result<[u64; 2]> {
        anchor::check_signer(self.first.mint, "first_position_nft_mint")?;
        if let Some(mint) = self.second[0] {
            anchor::check_signer(mint, "second_position_nft_mint")?;
        }
        let [base, quote] = &self.tokens;
        let held = [
            TokenAccount::load(base.vault, "base_vault")?.amount,
            TokenAccount::load(quote.vault, "quote_vault")?.amount,
        ];
        anchor::check_signer(self.payer, "payer")?;
        anchor::check_program(base.program, &PROGRAMS, "token_base_program")?;
        anchor::check_program(quote.program, &PROGRAMS, "token_quote_program")?;
        anchor::check_program(self.token_2022_program, &PROGRAMS, "token_2022_program")?;
        anchor::check_program(self.system_program, &[system::PROGRAM], "system_program")?;
        Ok(held)
    }

    /// Checks that the pool and the accounts of the positions are writable, and that the two mints differ.
    #[inline(never)]
    fn check_positions(&self) -> Result {
        let first = &self.first;
        anchor::check_writable(self.pool, "pool")?;
        anchor::check_writable(first.mint, "first_position_nft_mint")?;
        anchor::check_writable(first.holding, "first_position_nft_account")?;
        anchor::check_writable(first.position, "first_position")?;
        let [mint, holding, position] = self.second;
        if let Some(mint) = mint {
            anchor::check_writable(mint, "second_position_nft_mint")?;
            if mint.is(first.mint) {
                return Err(anchor::CONSTRAINT_RAW.of("second_position_nft_mint"));
            }
        }
        if let Some(holding) = holding {
            anchor::check_writable(holding, "second_position_nft_account")?;
        }
        match position {
            Some(position) => anchor::check_writable(position, "second_position"),
            None => Ok(()),
        }
    }
}
