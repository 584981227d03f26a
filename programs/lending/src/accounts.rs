//! The accounts of deposits and withdrawals, and their checks.

use crate::error::LIQUIDITY_PROGRAM_MISMATCH;
use crate::rates::Sources;
use crate::state::admin;
use crate::state::lending::Lending;
use crate::state::liquidity;
use crate::state::rewards::Rewards;
use sluice_lending::calls::{Leg, Side};
use sluice_program::token::{Mint, TokenAccount, PROGRAMS};
use sluice_program::{anchor, system, Account, Address, Result};

/// The accounts that deposits and withdrawals have in common.
pub struct Accounts<'a> {
    pub signer: Account<'a>,
    pub admin: Account<'a>,
    pub receipt_mint: Account<'a>,
    pub rewards: Account<'a>,
    pub liquidity: Side<'a>,
    pub system_program: Account<'a>,
}

/// The fields that were read from the accounts.
pub struct Checked<'a> {
    pub state: Lending,
    pub admin_bump: u8,
    pub decimals: u8,
    pub sources: Sources<'a>,
}

/// The accounts whose order differs between deposits and withdrawals.
pub struct Leading<'a> {
    pub signer: Account<'a>,
    pub admin: Account<'a>,
    pub lending: Account<'a>,
    pub mint: Account<'a>,
}

impl<'a> Accounts<'a> {
    /// Names the accounts without checking them. `reserve` and `programs` have the same order in deposits and
    /// withdrawals: the receipt mint, the reserve, the position, the rate model and the vault; then the liquidity
    /// account, the programs and the rewards.
    #[inline(always)]
    pub fn new(leading: Leading<'a>, reserve: [Account<'a>; 5], programs: [Account<'a>; 6]) -> Self {
        let [receipt_mint, reserve, position, rate_model, vault] = reserve;
        let [liquidity, program, rewards, token_program, _associated_token_program, system_program] =
            programs;
        let Leading { signer, admin, lending, mint } = leading;
        let side = Side {
            leg: Leg::Supply,
            protocol: lending,
            mint,
            reserve,
            position,
            rate_model,
            vault,
            liquidity,
            program,
            token_program,
        };
        Self { signer, admin, receipt_mint, rewards, liquidity: side, system_program }
    }

    /// Checks the accounts and reads them. Fails with the error of the first wrong account.
    #[inline(never)]
    pub fn check(&self) -> Result<Checked<'a>> {
        let Side {
            protocol: lending, mint, reserve, position, vault, liquidity, program, token_program, ..
        } = self.liquidity;
        anchor::check_signer(self.signer, "signer")?;
        let terms = Mint::load(mint, "mint")?;
        let signer = admin::signer(self.admin)?;
        let state = Lending::load(lending)?;
        Mint::load(self.receipt_mint, "f_token_mint")?;
        anchor::check_program(token_program, &PROGRAMS, "token_program")?;
        anchor::check_program(self.system_program, &[system::PROGRAM], "system_program")?;
        for (account, name) in [
            (self.signer, "signer"),
            (lending, "lending"),
            (self.receipt_mint, "f_token_mint"),
            (reserve, "supply_token_reserves_liquidity"),
            (position, "lending_supply_position_on_liquidity"),
            (vault, "vault"),
            (liquidity, "liquidity"),
        ] {
            anchor::check_writable(account, name)?;
        }
        if *program.address() != signer.liquidity_program {
            return Err(LIQUIDITY_PROGRAM_MISMATCH.of("lending_admin"));
        }
        for (field, account) in [
            (&state.mint, mint),
            (&state.receipt_mint, self.receipt_mint),
            (&state.reserve, reserve),
            (&state.position, position),
            (&state.rewards, self.rewards),
        ] {
            if field != account.address() {
                return Err(anchor::CONSTRAINT_HAS_ONE.of("lending"));
            }
        }
        if Rewards::load(self.rewards)?.mint != *mint.address() {
            return Err(anchor::CONSTRAINT_HAS_ONE.of("rewards_rate_model"));
        }
        if !mint.is_owned_by(token_program.address()) {
            return Err(anchor::CONSTRAINT_MINT_TOKEN_PROGRAM.of("mint"));
        }
        liquidity::supplied(position)?;
        Ok(Checked {
            state,
            admin_bump: signer.bump,
            decimals: terms.decimals,
            sources: Sources { receipt_mint: self.receipt_mint, reserve, rewards: self.rewards },
        })
    }
}

/// A deposit or a withdrawal: its checked accounts, and the fields that were read from them.
pub struct Context<'a> {
    pub accounts: Accounts<'a>,
    pub checked: Checked<'a>,
    /// The signer's accounts that pay and that receive.
    pub from: Account<'a>,
    pub to: Account<'a>,
    /// The balance of `from`.
    pub balance: u64,
}

impl<'a> Context<'a> {
    /// Checks the accounts. `paid` and `got` are the mints of `from` and `to`.
    #[inline(always)]
    pub fn check(
        accounts: Accounts<'a>,
        [from, to]: [Account<'a>; 2],
        [paid, got]: [Account<'a>; 2],
    ) -> Result<Self> {
        let checked = accounts.check()?;
        let signer = accounts.signer.address();
        let balance = holding(from, paid, signer)?.amount;
        holding(to, got, signer)?;
        Ok(Self { accounts, checked, from, to, balance })
    }
}

/// Reads a token account. Fails with an error of Anchor's unless it is writable and belongs to that mint and owner.
#[inline(never)]
fn holding(account: Account, mint: Account, owner: &Address) -> Result<TokenAccount> {
    let name = "token_account";
    let holding = TokenAccount::load(account, name)?;
    anchor::check_writable(account, name)?;
    if holding.mint != *mint.address() {
        return Err(anchor::CONSTRAINT_TOKEN_MINT.of(name));
    }
    if holding.owner != *owner {
        return Err(anchor::CONSTRAINT_TOKEN_OWNER.of(name));
    }
    Ok(holding)
}
