//! Checks of accounts that several instructions make.

use crate::error::{ONLY_AUTH, ONLY_LIQUIDITY_AUTHORITY};
use crate::state::auth_list::AuthList;
use crate::state::liquidity::Liquidity;
use sluice_program::token::{Mint, TokenAccount, PROGRAMS};
use sluice_program::{anchor, associated_token, Account, Address, Result};

/// Fails with ConstraintHasOne unless the field of `holder` names the account.
pub fn has_one(field: &Address, account: Account, holder: &str) -> Result {
    if field == account.address() {
        Ok(())
    } else {
        Err(anchor::CONSTRAINT_HAS_ONE.of(holder))
    }
}

/// Checks that `authority` signs and is an auth. Returns the lists of the administration.
pub fn by_auth(authority: Account, auth_list: Account) -> Result<AuthList> {
    anchor::check_signer(authority, "authority")?;
    let list = AuthList::load(auth_list)?;
    if list.auths.contains(authority.address()) {
        Ok(list)
    } else {
        Err(ONLY_AUTH.into())
    }
}

/// Checks that `authority` signs and is the program's authority. Returns the program's main account.
pub fn by_authority(authority: Account, liquidity: Account) -> Result<Liquidity> {
    anchor::check_signer(authority, "authority")?;
    let state = Liquidity::load(liquidity)?;
    if state.authority == *authority.address() {
        Ok(state)
    } else {
        Err(ONLY_LIQUIDITY_AUTHORITY.into())
    }
}

/// Reads a mint. Fails unless `token_program` is a token program and owns it.
#[inline(never)]
pub fn mint(account: Account, token_program: Account) -> Result<Mint> {
    let mint = Mint::load(account, "mint")?;
    anchor::check_program(token_program, &PROGRAMS, "token_program")?;
    if account.is_owned_by(token_program.address()) {
        Ok(mint)
    } else {
        Err(anchor::CONSTRAINT_MINT_TOKEN_PROGRAM.of("mint"))
    }
}

/// The mint and the owner that a token account must have.
pub struct Holder<'a> {
    pub mint: &'a Address,
    pub owner: &'a Address,
}

/// Checks that the account is a writable token account of that mint and owner.
#[inline(never)]
pub fn check_token_account(account: Account, holder: &Holder, name: &str) -> Result {
    let holding = TokenAccount::load(account, name)?;
    anchor::check_writable(account, name)?;
    if holding.mint != *holder.mint {
        return Err(anchor::CONSTRAINT_TOKEN_MINT.of(name));
    }
    if holding.owner != *holder.owner {
        return Err(anchor::CONSTRAINT_TOKEN_OWNER.of(name));
    }
    Ok(())
}

/// Fails with ConstraintSeeds unless the account is `owner`'s associated token account.
#[inline(always)]
pub fn associated(
    account: Account,
    owner: Account,
    mint: Account,
    token_program: Account,
    name: &str,
) -> Result {
    let expected = associated_token::find(owner.address(), mint.address(), token_program.address())?;
    if *account.address() == expected {
        Ok(())
    } else {
        Err(anchor::CONSTRAINT_SEEDS.of(name))
    }
}
