//! The instruction that creates the reserve of a token.

use crate::checks;
use crate::error::{INVALID_PARAMS, LIBRARY_UNSUPPORTED_EXTENSION};
use crate::keys::{PROGRAM, RATE_MODEL_SEED, RESERVE_SEED};
use crate::math::curve::Corner;
use crate::refresh::now;
use crate::state::liquidity::Liquidity;
use crate::state::rate_model::RateModel;
use sluice_lending::state::Reserve;
use sluice_program::layout::Layout;
use sluice_program::token::{self, Mint};
use sluice_program::{anchor, associated_token, system, Account, Result};

const DECIMALS: core::ops::RangeInclusive<u8> = 2..=9;
const MAX_SUPPLY: u64 = u64::MAX / 32;

struct Context<'a> {
    authority: Account<'a>,
    liquidity: Account<'a>,
    mint: Account<'a>,
    vault: Account<'a>,
    rate_model: Account<'a>,
    reserve: Account<'a>,
    token_program: Account<'a>,
    system_program: Account<'a>,
}

/// Signed by an auth.
pub fn run(accounts: &[Account]) -> Result {
    let (&[authority, liquidity, auth_list, mint, vault, rate_model, reserve, ref rest @ ..], _) =
        anchor::accounts::<10>(accounts)?;
    let &[token_program, associated_program, system_program] = rest;
    let context =
        Context { authority, liquidity, mint, vault, rate_model, reserve, token_program, system_program };
    anchor::check_signer(authority, "authority")?;
    Liquidity::load(liquidity)?;
    let terms = checks::mint(mint, token_program)?;
    anchor::check_program(associated_program, &[associated_token::PROGRAM], "associated_token_program")?;
    anchor::check_program(system_program, &[system::PROGRAM], "system_program")?;
    checks::associated(vault, liquidity, mint, token_program, "vault")?;
    create_accounts(&context)?;
    checks::by_auth(authority, auth_list)?;
    check_mint(mint, &terms)?;

    let model = RateModel {
        mint: *mint.address(),
        version: 0,
        rate_at_zero: 0,
        kink1: Corner { utilization: 0, rate: 0 },
        rate_at_max: 0,
        kink2: Corner { utilization: 0, rate: 0 },
    };
    model.store(rate_model)?;
    Reserve::new(mint.address(), vault.address(), now()?).store(reserve)
}

#[inline(never)]
fn create_accounts(context: &Context) -> Result {
    let mint = context.mint.address();
    associated_token::CreateIdempotent {
        payer: context.authority,
        account: context.vault,
        wallet: context.liquidity,
        mint: context.mint,
        system_program: context.system_program,
        token_program: context.token_program,
    }
    .invoke()?;
    for (account, seed, space, name) in [
        (context.rate_model, RATE_MODEL_SEED, RateModel::SPACE, "rate_model"),
        (context.reserve, RESERVE_SEED, Reserve::SPACE, "token_reserve"),
    ] {
        anchor::CreateDerived {
            payer: context.authority,
            account,
            seeds: &[seed, &mint.0],
            space,
            program: &PROGRAM,
            owner: &PROGRAM,
            name,
        }
        .invoke()?;
    }
    Ok(())
}

/// Checks that the arithmetic supports the token's decimals, and that transfers of the token have no fees or hooks.
fn check_mint(mint: Account, terms: &Mint) -> Result {
    if !mint.is_owned_by(&token::PROGRAM) {
        for (kind, _) in token::extensions(&mint.data()?) {
            if !is_supported(kind) {
                return Err(LIBRARY_UNSUPPORTED_EXTENSION.into());
            }
        }
    }
    if DECIMALS.contains(&terms.decimals) && terms.supply <= MAX_SUPPLY {
        Ok(())
    } else {
        Err(INVALID_PARAMS.into())
    }
}

/// Returns whether the extension is supported: metadata, their pointer, and extensions that do not affect transfers.
fn is_supported(kind: u16) -> bool {
    matches!(kind, 18 | 19)
}
