//! Checks of accounts that several instructions make.

use crate::error::{ONLY_AUTH, ONLY_LIQUIDITY_AUTHORITY};
use crate::state::auth_list::AuthList;
use crate::state::liquidity::Liquidity;
use sluice_program::token::{Mint, TokenAccount, PROGRAMS};
use sluice_program::{anchor, associated_token, Account, Address, Result};

/// ConstraintHasOne unless the field that `holder` has for an account names it.
pub fn has_one(field: &Address, account: Account, holder: &str) -> Result {
    if field == account.address() {
        Ok(())
    } else {
        Err(anchor::CONSTRAINT_HAS_ONE.of(holder))
    }
}

/// The lists, once `authority` is found among the auths.
pub fn by_auth(authority: Account, auth_list: Account) -> Result<AuthList> {
    anchor::check_signer(authority, "authority")?;
    let list = AuthList::load(auth_list)?;
    if list.auths.contains(authority.address()) {
        Ok(list)
    } else {
        Err(ONLY_AUTH.into())
    }
}

/// The program's main account, once `authority` is found to be its authority.
pub fn by_authority(authority: Account, liquidity: Account) -> Result<Liquidity> {
    anchor::check_signer(authority, "authority")?;
    let state = Liquidity::load(liquidity)?;
    if state.authority == *authority.address() {
        Ok(state)
    } else {
        Err(ONLY_LIQUIDITY_AUTHORITY.into())
    }
}

/// A mint and its token program, which must own it.
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

/// Whose tokens an account must hold.
pub struct Holder<'a> {
    pub mint: &'a Address,
    pub owner: &'a Address,
}

/// A writable token account of that mint and owner.
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

/// ConstraintSeeds unless the account is `owner`'s associated account.
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
