//! Checks of accounts that several instructions make.

use crate::error::{
    ACCOUNT_NOT_ASSOCIATED_TOKEN_ACCOUNT, CONSTRAINT_ACCOUNT_IS_NONE, CONSTRAINT_ASSOCIATED_TOKEN_PROGRAM,
    INVALID_BORROW_MINT, INVALID_LIQUIDITY_PROGRAM, INVALID_ORACLE, INVALID_SUPPLY_MINT, INVALID_VAULT_ID,
    ORACLE_NOT_VALID,
};
use crate::keys::PROGRAM;
use crate::prices::Reserves;
use crate::state::config::Config;
use crate::state::liquidity::Reserve;
use sluice_program::token::{Mint, TokenAccount, PROGRAMS};
use sluice_program::{anchor, associated_token, system, Account, AnchorError, Result};

/// Creates an account of this program at the address that the seeds derive, and returns the bump. Fails with
/// ConstraintSeeds if `account` stands at another address.
#[inline(always)]
pub fn create(payer: Account, account: Account, seeds: &[&[u8]], space: usize, name: &str) -> Result<u8> {
    anchor::CreateDerived { payer, account, seeds, space, program: &PROGRAM, owner: &PROGRAM, name }.invoke()
}

/// A token of a vault: its mint and the token program that owns the mint.
#[derive(Clone, Copy)]
pub struct Token<'a> {
    pub mint: Account<'a>,
    pub program: Account<'a>,
    pub decimals: u8,
}

impl<'a> Token<'a> {
    /// Reads the mint. Fails with an error of Anchor's if it is no mint of this token program.
    #[inline(never)]
    pub fn load(mint: Account<'a>, program: Account<'a>, name: &str) -> Result<Self> {
        let decimals = Mint::load(mint, name)?.decimals;
        anchor::check_program(program, &PROGRAMS, "token_program")?;
        if !mint.is_owned_by(program.address()) {
            return Err(anchor::CONSTRAINT_MINT_TOKEN_PROGRAM.of(name));
        }
        Ok(Self { mint, program, decimals })
    }
}

/// A wallet's associated token account. It is created if it does not exist.
pub struct Holding<'h, 'a> {
    pub account: Account<'a>,
    pub owner: Account<'a>,
    pub token: &'h Token<'a>,
    pub name: &'static str,
}

/// The payer of new accounts, and the programs that create them.
#[derive(Clone, Copy)]
pub struct Opener<'a> {
    pub payer: Account<'a>,
    pub associated_token_program: Option<Account<'a>>,
    pub system_program: Account<'a>,
}

impl Holding<'_, '_> {
    /// Creates the token account if it does not exist, then checks it as [`Self::check`] does.
    #[inline(never)]
    pub fn open(&self, by: &Opener) -> Result {
        if self.account.is_owned_by(&system::PROGRAM) {
            by.associated_token_program
                .ok_or_else(|| CONSTRAINT_ACCOUNT_IS_NONE.of("associated_token_program"))?;
            associated_token::CreateIdempotent {
                payer: by.payer,
                account: self.account,
                wallet: self.owner,
                mint: self.token.mint,
                system_program: by.system_program,
                token_program: self.token.program,
            }
            .invoke()?;
        }
        self.check()
    }

    /// Checks the token account. Fails with an error of Anchor's unless it is the owner's associated one for this
    /// mint.
    #[inline(never)]
    pub fn check(&self) -> Result {
        let holding = TokenAccount::load(self.account, self.name)?;
        if holding.mint != *self.token.mint.address() {
            return Err(anchor::CONSTRAINT_TOKEN_MINT.of(self.name));
        }
        if holding.owner != *self.owner.address() {
            return Err(anchor::CONSTRAINT_TOKEN_OWNER.of(self.name));
        }
        let program = self.token.program.address();
        if !self.account.is_owned_by(program) {
            return Err(CONSTRAINT_ASSOCIATED_TOKEN_PROGRAM.of(self.name));
        }
        let expected = associated_token::find(self.owner.address(), self.token.mint.address(), program)?;
        if *self.account.address() != expected {
            return Err(ACCOUNT_NOT_ASSOCIATED_TOKEN_ACCOUNT.of(self.name));
        }
        anchor::check_writable(self.account, self.name)
    }
}

/// The accounts that a vault's configuration names. Operations and liquidations share them.
pub struct Named<'a> {
    pub supply_token: Account<'a>,
    pub borrow_token: Account<'a>,
    pub oracle: Account<'a>,
    pub liquidity_program: Account<'a>,
    pub oracle_program: Account<'a>,
}

impl Named<'_> {
    /// Fails with the error of the account that the configuration does not name.
    #[inline(never)]
    pub fn check(&self, config: &Config) -> Result {
        let pairs = [
            (&config.supply_token, self.supply_token, INVALID_SUPPLY_MINT),
            (&config.borrow_token, self.borrow_token, INVALID_BORROW_MINT),
            (&config.liquidity_program, self.liquidity_program, INVALID_LIQUIDITY_PROGRAM),
            (&config.oracle, self.oracle, INVALID_ORACLE),
            (&config.oracle_program, self.oracle_program, ORACLE_NOT_VALID),
        ];
        for (expected, account, error) in pairs {
            if expected != account.address() {
                return Err(error.into());
            }
        }
        Ok(())
    }
}

/// Reads the reserves of the vault's tokens. Fails unless they are those of the vault's mints.
#[inline(never)]
pub fn reserves(config: &Config, supply: Account, borrow: Account) -> Result<Reserves> {
    let reserves = Reserves {
        supply: Reserve::load(supply, "supply_token_reserves_liquidity")?,
        borrow: Reserve::load(borrow, "borrow_token_reserves_liquidity")?,
    };
    if reserves.supply.mint != config.supply_token {
        return Err(INVALID_SUPPLY_MINT.into());
    }
    if reserves.borrow.mint != config.borrow_token {
        return Err(INVALID_BORROW_MINT.into());
    }
    Ok(reserves)
}

/// Fails with VaultInvalidVaultId unless an account belongs to the vault.
pub fn same_vault(found: u16, vault_id: u16) -> Result {
    require(found == vault_id, INVALID_VAULT_ID)
}

/// Fails with `error` unless `holds`.
pub fn require(holds: bool, error: AnchorError) -> Result {
    if holds {
        Ok(())
    } else {
        Err(error.into())
    }
}
