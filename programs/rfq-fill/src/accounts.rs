//! The accounts of `fill_exact_in` and their checks.

use sluice_program::anchor;
use sluice_program::instructions;
use sluice_program::token::{self, Mint, TokenAccount, TransferChecked};
use sluice_program::{Account, Address, Result};

/// The checked accounts of `fill_exact_in`.
pub struct FillAccounts<'a> {
    /// The taker.
    pub user: Account<'a>,
    /// The maker.
    pub fill_authority: Account<'a>,
    pub base: Leg<'a>,
    pub quote: Leg<'a>,
    pub instructions_sysvar: Account<'a>,
}

/// A mint with each party's token account for it.
pub struct Leg<'a> {
    pub user: Account<'a>,
    pub maker: Account<'a>,
    mint: Account<'a>,
    program: Account<'a>,
    decimals: u8,
}

const NUMBER: usize = 11;

impl<'a> FillAccounts<'a> {
    /// Checks the accounts. As in Anchor, each account is checked by itself first, in the interface's order, and only
    /// then the relations between them. The README lists the errors.
    pub fn check(accounts: &[Account<'a>]) -> Result<Self> {
        let (accounts, _) = anchor::accounts::<NUMBER>(accounts)?;
        let &[user, fill_authority, user_base, user_quote, maker_base, maker_quote, rest @ ..] = accounts;
        let [base_mint, quote_mint, base_program, quote_program, instructions_sysvar] = rest;
        anchor::check_signer(user, "user")?;
        anchor::check_signer(fill_authority, "fill_authority")?;
        let holdings = [
            Holding::load(user_base, "user_base_token_account")?,
            Holding::load(user_quote, "user_quote_token_account")?,
            Holding::load(maker_base, "maker_base_token_account")?,
            Holding::load(maker_quote, "maker_quote_token_account")?,
        ];
        let base_decimals = Mint::load(base_mint, "base_mint")?.decimals;
        let quote_decimals = Mint::load(quote_mint, "quote_mint")?.decimals;
        anchor::check_program(base_program, &token::PROGRAMS, "base_token_program")?;
        anchor::check_program(quote_program, &token::PROGRAMS, "quote_token_program")?;

        let [user_base_holding, user_quote_holding, maker_base_holding, maker_quote_holding] = &holdings;
        user_base_holding.check(user, base_mint, base_program)?;
        user_quote_holding.check(user, quote_mint, quote_program)?;
        maker_base_holding.check(fill_authority, base_mint, base_program)?;
        maker_quote_holding.check(fill_authority, quote_mint, quote_program)?;
        anchor::check_address(instructions_sysvar, &instructions::ADDRESS, "instructions_sysvar")?;

        Ok(Self {
            user,
            fill_authority,
            base: Leg {
                user: user_base,
                maker: maker_base,
                mint: base_mint,
                program: base_program,
                decimals: base_decimals,
            },
            quote: Leg {
                user: user_quote,
                maker: maker_quote,
                mint: quote_mint,
                program: quote_program,
                decimals: quote_decimals,
            },
            instructions_sysvar,
        })
    }
}

/// A token account with the fields that were read from it.
struct Holding<'a> {
    account: Account<'a>,
    name: &'static str,
    mint: Address,
    owner: Address,
}

impl<'a> Holding<'a> {
    fn load(account: Account<'a>, name: &'static str) -> Result<Self> {
        let TokenAccount { mint, owner, .. } = TokenAccount::load(account, name)?;
        Ok(Self { account, name, mint, owner })
    }

    fn check(&self, owner: Account, mint: Account, program: Account) -> Result {
        anchor::check_writable(self.account, self.name)?;
        if self.owner != *owner.address() {
            return Err(anchor::CONSTRAINT_TOKEN_OWNER.of(self.name));
        }
        if self.mint != *mint.address() {
            return Err(anchor::CONSTRAINT_TOKEN_MINT.of(self.name));
        }
        if !self.account.is_owned_by(program.address()) {
            return Err(anchor::CONSTRAINT_TOKEN_TOKEN_PROGRAM.of(self.name));
        }
        Ok(())
    }
}

impl<'a> Leg<'a> {
    /// Transfers `amount` atoms from the taker, who signs, to the maker.
    pub fn transfer_to_maker(&self, user: Account<'a>, amount: u64) -> Result {
        self.transfer(self.user, self.maker, user, amount)
    }

    /// Transfers `amount` atoms from the maker, who signs, to the taker.
    pub fn transfer_to_user(&self, maker: Account<'a>, amount: u64) -> Result {
        self.transfer(self.maker, self.user, maker, amount)
    }

    #[inline(always)]
    fn transfer(&self, source: Account, destination: Account, authority: Account, amount: u64) -> Result {
        let Self { mint, program, decimals, .. } = *self;
        TransferChecked { program, source, mint, destination, authority, amount, decimals }.invoke(&[])
    }
}
