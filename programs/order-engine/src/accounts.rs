//! The accounts of `fill` and their checks.

use sluice_program::anchor;
use sluice_program::token::{self, TokenAccount};
use sluice_program::{system, Account, Address, Result};

use crate::leg::Leg;

const NUMBER: usize = 11;

/// The checked accounts of `fill`.
pub struct FillAccounts<'a> {
    program: &'a Address,
    taker: Account<'a>,
    maker: Account<'a>,
    input: Side<'a>,
    output: Side<'a>,
    /// Comes after the accounts that the interface lists. It is needed only if SOL is unwrapped.
    temporary: Option<Account<'a>>,
}

/// A mint with each party's token account for it. The account is None for a party that pays or receives SOL itself.
struct Side<'a> {
    taker: Option<Account<'a>>,
    maker: Option<Account<'a>>,
    mint: Account<'a>,
    token_program: Account<'a>,
}

impl<'a> FillAccounts<'a> {
    /// Checks the accounts. As in Anchor, each account is checked by itself first, in the interface's order, and only
    /// then the relations between them. The README lists the errors.
    pub fn check(program: &'a Address, accounts: &[Account<'a>]) -> Result<Self> {
        let (accounts, rest) = anchor::accounts::<NUMBER>(accounts)?;
        let &[taker, maker, taker_input, maker_input, taker_output, maker_output, others @ ..] = accounts;
        let [input_mint, input_program, output_mint, output_program, system_program] = others;
        anchor::check_signer(taker, "taker")?;
        anchor::check_signer(maker, "maker")?;
        let holdings = [
            Holding::load(program, taker_input, "taker_input_mint_token_account")?,
            Holding::load(program, maker_input, "maker_input_mint_token_account")?,
            Holding::load(program, taker_output, "taker_output_mint_token_account")?,
            Holding::load(program, maker_output, "maker_output_mint_token_account")?,
        ];
        anchor::check_program(input_program, &token::PROGRAMS, "input_token_program")?;
        anchor::check_program(output_program, &token::PROGRAMS, "output_token_program")?;
        anchor::check_program(system_program, &[system::PROGRAM], "system_program")?;

        anchor::check_writable(taker, "taker")?;
        anchor::check_writable(maker, "maker")?;
        let [taker_input, maker_input, taker_output, maker_output] = &holdings;
        let input = Side {
            taker: Holding::check(taker_input, taker, input_mint, input_program)?,
            maker: Holding::check(maker_input, maker, input_mint, input_program)?,
            mint: input_mint,
            token_program: input_program,
        };
        let output = Side {
            taker: Holding::check(taker_output, taker, output_mint, output_program)?,
            maker: Holding::check(maker_output, maker, output_mint, output_program)?,
            mint: output_mint,
            token_program: output_program,
        };
        Ok(Self { program, taker, maker, input, output, temporary: rest.first().copied() })
    }

    /// Returns the payment from the taker to the maker.
    pub fn input(&self) -> Leg<'a> {
        let Self { program, taker, maker, ref input, temporary, .. } = *self;
        Leg {
            program,
            maker,
            payer: taker,
            recipient: maker,
            source: input.taker,
            destination: input.maker,
            mint: input.mint,
            token_program: input.token_program,
            temporary,
        }
    }

    /// Returns the payment from the maker to the taker.
    pub fn output(&self) -> Leg<'a> {
        let Self { program, taker, maker, ref output, temporary, .. } = *self;
        Leg {
            program,
            maker,
            payer: maker,
            recipient: taker,
            source: output.maker,
            destination: output.taker,
            mint: output.mint,
            token_program: output.token_program,
            temporary,
        }
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
    /// Returns None for an account that is left out. The interface wants the program's own address in its place.
    fn load(program: &Address, account: Account<'a>, name: &'static str) -> Result<Option<Self>> {
        if account.address() == program {
            return Ok(None);
        }
        let TokenAccount { mint, owner, .. } = TokenAccount::load(account, name)?;
        Ok(Some(Self { account, name, mint, owner }))
    }

    fn check(
        holding: &Option<Self>,
        owner: Account,
        mint: Account,
        program: Account,
    ) -> Result<Option<Account<'a>>> {
        let Some(Self { account, name, mint: own_mint, owner: own_owner }) = holding else {
            return Ok(None);
        };
        anchor::check_writable(*account, name)?;
        if own_owner != owner.address() {
            return Err(anchor::CONSTRAINT_TOKEN_OWNER.of(name));
        }
        if own_mint != mint.address() {
            return Err(anchor::CONSTRAINT_TOKEN_MINT.of(name));
        }
        if !account.is_owned_by(program.address()) {
            return Err(anchor::CONSTRAINT_TOKEN_TOKEN_PROGRAM.of(name));
        }
        Ok(Some(*account))
    }
}
