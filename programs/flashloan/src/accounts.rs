//! The accounts that borrowing and paying back share.

use crate::error::CONSTRAINT_ASSOCIATED;
use crate::state::{Admin, ADMIN_SEED};
use sluice_lending::calls::{Leg, Side};
use sluice_program::token::{Mint, TokenAccount, PROGRAMS};
use sluice_program::{anchor, associated_token, instructions, system, Account, Result};

pub const COUNT: usize = 14;
const TOKENS: &str = "signer_borrow_token_account";

/// The checked accounts of a loan.
pub struct Loan<'a> {
    pub signer: Account<'a>,
    pub admin: Account<'a>,
    pub state: Admin,
    pub tokens: Account<'a>,
    pub decimals: u8,
    pub liquidity: Side<'a>,
    pub sysvar: Account<'a>,
}

impl<'a> Loan<'a> {
    /// Checks the accounts, which both instructions list in the same order. Fails with an error of Anchor's that
    /// names the wrong account.
    #[inline(never)]
    pub fn check(accounts: &[Account<'a>]) -> Result<Self> {
        let (&[signer, admin, tokens, mint, reserve, position, rate_model, ref rest @ ..], _) =
            anchor::accounts::<COUNT>(accounts)?;
        let &[vault, liquidity, program, token_program, associated_program, system_program, sysvar] = rest;
        anchor::check_signer(signer, "signer")?;
        let state = Admin::load(admin)?;
        let decimals = Mint::load(mint, "mint")?.decimals;
        anchor::check_program(token_program, &PROGRAMS, "token_program")?;
        anchor::check_program(associated_program, &[associated_token::PROGRAM], "associated_token_program")?;
        anchor::check_program(system_program, &[system::PROGRAM], "system_program")?;
        let borrower = Borrower { signer, tokens, mint, token_program, system_program };
        borrower.open_account()?;
        borrower.check_account()?;
        anchor::check_writable(signer, "signer")?;
        anchor::check_writable(admin, "flashloan_admin")?;
        if state.liquidity_program != *program.address() {
            return Err(anchor::CONSTRAINT_HAS_ONE.of("flashloan_admin"));
        }
        for (account, name) in [
            (tokens, TOKENS),
            (reserve, "flashloan_token_reserves_liquidity"),
            (position, "flashloan_borrow_position_on_liquidity"),
            (vault, "vault"),
        ] {
            anchor::check_writable(account, name)?;
        }
        anchor::check_address(sysvar, &instructions::ADDRESS, "instruction_sysvar")?;
        let liquidity = Side {
            leg: Leg::Borrow,
            protocol: admin,
            mint,
            reserve,
            position,
            rate_model,
            vault,
            liquidity,
            program,
            token_program,
        };
        Ok(Self { signer, admin, state, tokens, decimals, liquidity, sysvar })
    }

    /// Calls `invoke` with the seeds of the address that signs for loans at the liquidity program.
    #[inline(always)]
    pub fn sign(&self, invoke: impl FnOnce(&[&[u8]]) -> Result) -> Result {
        invoke(&[ADMIN_SEED, &[self.state.bump]])
    }
}

/// The wallet to whose associated token account the loan is paid, and from which it is paid back.
struct Borrower<'a> {
    signer: Account<'a>,
    tokens: Account<'a>,
    mint: Account<'a>,
    token_program: Account<'a>,
    system_program: Account<'a>,
}

impl Borrower<'_> {
    /// Creates the token account if it does not exist.
    #[inline(never)]
    fn open_account(&self) -> Result {
        if !self.tokens.is_owned_by(&system::PROGRAM) {
            return Ok(());
        }
        associated_token::CreateIdempotent {
            payer: self.signer,
            account: self.tokens,
            wallet: self.signer,
            mint: self.mint,
            system_program: self.system_program,
            token_program: self.token_program,
        }
        .invoke()
    }

    #[inline(never)]
    fn check_account(&self) -> Result {
        let holding = TokenAccount::load(self.tokens, TOKENS)?;
        if holding.mint != *self.mint.address() {
            return Err(anchor::CONSTRAINT_TOKEN_MINT.of(TOKENS));
        }
        if holding.owner != *self.signer.address() {
            return Err(anchor::CONSTRAINT_TOKEN_OWNER.of(TOKENS));
        }
        let program = self.token_program.address();
        if *self.tokens.address() != associated_token::find(&holding.owner, &holding.mint, program)? {
            return Err(CONSTRAINT_ASSOCIATED.of(TOKENS));
        }
        Ok(())
    }
}
