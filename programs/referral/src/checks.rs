//! Checks that several instructions share. Anchor checks each account by itself first, in the interface's order, and
//! then the relations between them.

use sluice_program::anchor;
use sluice_program::token::{self, TokenAccount};
use sluice_program::{associated_token, system, Account, Address, Result};

use crate::errors::{
    CONSTRAINT_ASSOCIATED, CONSTRAINT_ASSOCIATED_TOKEN_TOKEN_PROGRAM, TRYING_TO_INIT_PAYER_AS_PROGRAM_ACCOUNT,
};
use crate::state::{Project, ReferralAccount, PROJECT_SEED, REFERRAL_ATA_SEED};

/// Fails with AccountNotSystemOwned unless the account is a wallet.
pub fn check_wallet(account: Account, name: &str) -> Result {
    if account.is_owned_by(&system::PROGRAM) {
        Ok(())
    } else {
        Err(anchor::ACCOUNT_NOT_SYSTEM_OWNED.of(name))
    }
}

/// Fails with TryingToInitPayerAsProgramAccount if a payer with lamports would become the account that it pays for.
pub fn check_payer(payer: Account, account: Account) -> Result {
    if payer.is(account) && payer.lamports() > 0 {
        return Err(TRYING_TO_INIT_PAYER_AS_PROGRAM_ACCOUNT.into());
    }
    Ok(())
}

pub fn check_system_program(account: Account) -> Result {
    anchor::check_program(account, &[system::PROGRAM], "system_program")
}

pub fn check_token_program(account: Account) -> Result {
    anchor::check_program(account, &token::PROGRAMS, "token_program")
}

pub fn check_associated_token_program(account: Account) -> Result {
    anchor::check_program(account, &[associated_token::PROGRAM], "associated_token_program")
}

/// Fails with ConstraintHasOne unless `account` stands at the address that another account names.
pub fn check_named(account: Account, named: &Address, name: &str) -> Result {
    if account.address() == named {
        Ok(())
    } else {
        Err(anchor::CONSTRAINT_HAS_ONE.of(name))
    }
}

/// Checks that the project stands at the address that its base derives, and returns the bump. A project of the genesis
/// has none, and 0 is returned. Fails with ConstraintSeeds.
#[inline(never)]
pub fn check_project(account: Account, project: &Project, program: &Address) -> Result<u8> {
    if project.is_of_genesis(account) {
        return Ok(0);
    }
    anchor::check_derived(account, &[PROJECT_SEED, &project.base.0], program, "project")
}

/// Checks that the referral account names the project and the partner, in this order. Fails with ConstraintHasOne.
pub fn check_referral(referral: &ReferralAccount, project: Account, partner: Account) -> Result {
    check_named(project, &referral.project, "referral_account")?;
    check_named(partner, &referral.partner, "referral_account")
}

/// Checks the address of the older kind of token account, and returns the bump. Fails with ConstraintSeeds.
#[inline(never)]
pub fn check_referral_tokens(
    account: Account,
    referral_account: Account,
    mint: Account,
    program: &Address,
) -> Result<u8> {
    let seeds: [&[u8]; 3] = [REFERRAL_ATA_SEED, &referral_account.address().0, &mint.address().0];
    anchor::check_derived(account, &seeds, program, "referral_token_account")
}

/// What a token account must be.
pub struct Expected<'s, 'a> {
    pub owner: &'s Address,
    pub mint: Account<'a>,
    /// None where the interface does not say which.
    pub token_program: Option<Account<'a>>,
    pub name: &'s str,
}

impl Expected<'_, '_> {
    /// Fails with ConstraintTokenOwner, ConstraintTokenMint or ConstraintTokenTokenProgram.
    #[inline(never)]
    pub fn check(&self, account: Account, tokens: &TokenAccount) -> Result {
        if tokens.owner != *self.owner {
            return Err(anchor::CONSTRAINT_TOKEN_OWNER.of(self.name));
        }
        if tokens.mint != *self.mint.address() {
            return Err(anchor::CONSTRAINT_TOKEN_MINT.of(self.name));
        }
        match self.token_program {
            Some(program) if !account.is_owned_by(program.address()) => {
                Err(anchor::CONSTRAINT_TOKEN_TOKEN_PROGRAM.of(self.name))
            }
            _ => Ok(()),
        }
    }
}

/// Checks that a token account is the one associated with `wallet`. Fails with ConstraintAssociatedTokenTokenProgram,
/// ConstraintTokenOwner or ConstraintAssociated.
#[inline(never)]
pub fn check_associated(
    account: Account,
    tokens: &TokenAccount,
    wallet: Account,
    mint: Account,
    token_program: Account,
) -> Result {
    const NAME: &str = "referral_token_account";
    if !account.is_owned_by(token_program.address()) {
        return Err(CONSTRAINT_ASSOCIATED_TOKEN_TOKEN_PROGRAM.of(NAME));
    }
    if tokens.owner != *wallet.address() {
        return Err(anchor::CONSTRAINT_TOKEN_OWNER.of(NAME));
    }
    let associated = associated_token::find(wallet.address(), mint.address(), token_program.address())?;
    if *account.address() != associated {
        return Err(CONSTRAINT_ASSOCIATED.of(NAME));
    }
    Ok(())
}
