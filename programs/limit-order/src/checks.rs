//! Checks that several instructions share.

use sluice_program::anchor::{self, AnchorError};
use sluice_program::token::{self, Extension, Mint, TokenAccount};
use sluice_program::{associated_token, system, Account, Address, Result};

use crate::errors::TRANSFER_TAX_MINT;
use crate::state::{EVENT_AUTHORITY, PROGRAM};

/// Fails with ConstraintHasOne unless `account` stands at the address that the order names.
#[inline(never)]
pub fn check_named(account: Account, named: &Address) -> Result {
    if account.address() == named {
        Ok(())
    } else {
        Err(anchor::CONSTRAINT_HAS_ONE.of("order"))
    }
}

/// Fails with InvalidProgramId unless the account is one of the token programs.
pub fn check_token_program(account: Account, name: &str) -> Result {
    anchor::check_program(account, &token::PROGRAMS, name)
}

pub fn check_system_program(account: Account) -> Result {
    anchor::check_program(account, &[system::PROGRAM], "system_program")
}

/// Checks the two accounts by which the program emits events. Fails with ConstraintSeeds or InvalidProgramId.
#[inline(never)]
pub fn check_event_accounts(authority: Account, program: Account) -> Result {
    if *authority.address() != EVENT_AUTHORITY {
        return Err(anchor::CONSTRAINT_SEEDS.of("event_authority"));
    }
    anchor::check_program(program, &[PROGRAM], "program")
}

/// Reads a mint whose transfers deliver what is sent. Fails with ConstraintMintTokenProgram if it is of
/// another token program, and with TransferTaxMint if it has a transfer fee or a transfer hook. Both can be
/// changed at any time in a mint that has them, and an order may wait for years.
#[inline(never)]
pub fn load_mint(account: Account, token_program: Account, name: &str) -> Result<Mint> {
    let mint = Mint::load(account, name)?;
    if !account.is_owned_by(token_program.address()) {
        return Err(anchor::CONSTRAINT_MINT_TOKEN_PROGRAM.of(name));
    }
    let data = account.data()?;
    let changes_transfers = [Extension::TransferFeeConfig, Extension::TransferHook]
        .into_iter()
        .any(|extension| token::has_extension(&data, extension));
    if changes_transfers {
        return Err(TRANSFER_TAX_MINT.of(name));
    }
    Ok(mint)
}

/// What a token account must be, and the error if it is not.
pub struct Expected<'s, 'a> {
    pub owner: &'s Address,
    pub mint: Account<'a>,
    pub token_program: Account<'a>,
    pub error: &'s AnchorError,
    pub name: &'s str,
}

impl Expected<'_, '_> {
    /// Checks a token account that must be writable.
    #[inline(never)]
    pub fn check(&self, account: Account) -> Result {
        anchor::check_writable(account, self.name)?;
        let tokens = TokenAccount::load(account, self.name)?;
        let fits = tokens.owner == *self.owner
            && tokens.mint == *self.mint.address()
            && account.is_owned_by(self.token_program.address());
        if fits {
            Ok(())
        } else {
            Err(self.error.of(self.name))
        }
    }

    /// Checks also that the account is the associated one, where somebody else than its owner chooses it.
    #[inline(never)]
    pub fn check_associated(&self, account: Account) -> Result {
        self.check(account)?;
        let program = self.token_program.address();
        if *account.address() == associated_token::find(self.owner, self.mint.address(), program)? {
            Ok(())
        } else {
            Err(self.error.of(self.name))
        }
    }

    /// Checks an account that may be left out if the mint is that of wrapped SOL.
    #[inline(never)]
    pub fn check_optional<'b>(&self, account: Account<'b>, associated: bool) -> Result<Option<Account<'b>>> {
        if *account.address() == PROGRAM {
            return if *self.mint.address() == token::NATIVE_MINT {
                Ok(None)
            } else {
                Err(self.error.of(self.name))
            };
        }
        if associated {
            self.check_associated(account)?;
        } else {
            self.check(account)?;
        }
        Ok(Some(account))
    }
}
