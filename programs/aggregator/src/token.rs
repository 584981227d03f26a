//! Token accounts as routes read them, and transfers in both token programs.

use crate::authority::Authority;
use crate::error::{INCORRECT_TOKEN_PROGRAM_ID, INVALID_TOKEN_ACCOUNT};
use sluice_program::token::{Transfer, TransferChecked, ACCOUNT_LEN, PROGRAM, PROGRAM_2022};
use sluice_program::{bytes, Account, Address, ProgramError, Result};

const AMOUNT: usize = 64;
const MINT_DECIMALS: usize = 44;

/// Returns the mint of a token account. The owner of the account is not checked: the token program checks it when
/// tokens move. Fails with InvalidTokenAccount if the data is too short.
#[inline(always)]
pub fn mint_of(account: Account) -> Result<Address> {
    let data = account.data()?;
    if data.len() < ACCOUNT_LEN {
        return Err(INVALID_TOKEN_ACCOUNT.into());
    }
    bytes::address_at(&data, 0).ok_or(ProgramError::INVALID_ACCOUNT_DATA)
}

/// Returns the balance of a token account. The errors are those of [`mint_of`].
#[inline(always)]
pub fn amount_of(account: Account) -> Result<u64> {
    let data = account.data()?;
    if data.len() < ACCOUNT_LEN {
        return Err(INVALID_TOKEN_ACCOUNT.into());
    }
    bytes::u64_at(&data, AMOUNT).ok_or(ProgramError::INVALID_ACCOUNT_DATA)
}

/// Transfers the tokens of one side of a route.
#[derive(Clone, Copy)]
pub struct Mover<'a> {
    pub program: Account<'a>,
    /// Token-2022 also needs the mint. The forms that do not pass it cannot move its tokens.
    pub mint: Option<Account<'a>>,
}

impl<'a> Mover<'a> {
    /// Transfers `amount`. Fails with IncorrectTokenProgramID unless the program is one of the two, and the mint is
    /// known if the program needs it.
    pub fn transfer(
        &self,
        (source, destination): (Account<'a>, Account<'a>),
        authority: &Authority<'a>,
        amount: u64,
    ) -> Result {
        let program = self.program;
        let authority_account = authority.account;
        if *program.address() == PROGRAM {
            let call = Transfer { program, source, destination, authority: authority_account, amount };
            return authority.with_signers(|signers| call.invoke(signers));
        }
        let mint = match self.mint {
            Some(mint) if *program.address() == PROGRAM_2022 => mint,
            _ => return Err(INCORRECT_TOKEN_PROGRAM_ID.into()),
        };
        let decimals = decimals_of(mint)?;
        let authority_account = authority.account;
        let call = TransferChecked {
            program,
            source,
            mint,
            destination,
            authority: authority_account,
            amount,
            decimals,
        };
        authority.with_signers(|signers| call.invoke(signers))
    }
}

fn decimals_of(mint: Account) -> Result<u8> {
    mint.data()?.get(MINT_DECIMALS).copied().ok_or(ProgramError::INVALID_ACCOUNT_DATA)
}
