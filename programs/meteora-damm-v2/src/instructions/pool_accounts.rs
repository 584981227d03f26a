//! The accounts of a pool that is created: their checks, and the creation of the new ones.

use super::parameters::require;
use super::position::{create_derived, NewPosition};
use crate::error::INVALID_TOKEN_BADGE;
use crate::events;
use crate::keys::{PROGRAM, VAULT_SEED};
use crate::state::load;
use crate::state::pool::LEN;
use crate::token::{is_supported, Token};
use sluice_program::bytes;
use sluice_program::token::{self, InitializeAccount3, Mint, TokenAccount, PROGRAMS};
use sluice_program::{anchor, system, Account, Address, Result};

const BADGE: [u8; 8] = anchor::account("TokenBadge");
const BADGE_LEN: usize = 40;

/// The accounts in the interface's order. Pairs are of token A and token B.
pub struct Context<'a> {
    pub position: NewPosition<'a>,
    pub tokens: [Token<'a>; 2],
    pub users: [Account<'a>; 2],
    pub system_program: Account<'a>,
    pub event_authority: Account<'a>,
}

/// Names the 15 accounts that follow those of the position and its payer, and a configuration.
#[inline(never)]
pub fn context<'a>(first: [Account<'a>; 4], rest: &[Account<'a>; 15]) -> Context<'a> {
    let [owner, mint, holding, payer] = first;
    let &[authority, pool, position, mint_a, mint_b, vault_a, vault_b, user_a, user_b, ref rest @ ..] = rest;
    let &[program_a, program_b, token_program, system_program, event_authority, _] = rest;
    Context {
        position: NewPosition { owner, mint, holding, position, pool, authority, payer, token_program },
        tokens: [
            Token { mint: mint_a, vault: vault_a, program: program_a },
            Token { mint: mint_b, vault: vault_b, program: program_b },
        ],
        users: [user_a, user_b],
        system_program,
        event_authority,
    }
}

/// Checks the accounts. Fails with the error of the first wrong account.
#[inline(never)]
pub fn check(context: &Context) -> Result {
    let [a, b] = &context.tokens;
    Mint::load(a.mint, "token_a_mint")?;
    Mint::load(b.mint, "token_b_mint")?;
    TokenAccount::load(context.users[0], "payer_token_a")?;
    TokenAccount::load(context.users[1], "payer_token_b")?;
    anchor::check_program(a.program, &PROGRAMS, "token_a_program")?;
    anchor::check_program(b.program, &PROGRAMS, "token_b_program")?;
    context.position.check()?;
    anchor::check_program(context.system_program, &[system::PROGRAM], "system_program")?;
    for (account, name) in [
        (context.position.pool, "pool"),
        (a.vault, "token_a_vault"),
        (b.vault, "token_b_vault"),
        (context.users[0], "payer_token_a"),
        (context.users[1], "payer_token_b"),
    ] {
        anchor::check_writable(account, name)?;
    }
    if a.mint.is(b.mint) {
        return Err(anchor::CONSTRAINT_RAW.of("token_a_mint"));
    }
    for (token, name) in [(a, "token_a_mint"), (b, "token_b_mint")] {
        if !token.mint.is_owned_by(token.program.address()) {
            return Err(anchor::CONSTRAINT_MINT_TOKEN_PROGRAM.of(name));
        }
    }
    events::check_authority(context.event_authority)
}

/// Creates the position's token, and the accounts of the pool, of the position and of the vaults.
#[inline(never)]
pub fn create_accounts(context: &Context, seed: &[u8], config: &[u8]) -> Result {
    let position = &context.position;
    position.create_token()?;
    let [one, other] = [context.tokens[0].mint.address(), context.tokens[1].mint.address()];
    let (larger, smaller) = if one > other { (one, other) } else { (other, one) };
    let (payer, account) = (position.payer, position.pool);
    let (expected, bump) = Address::find(&[seed, config, &larger.0, &smaller.0], &PROGRAM)?;
    if *account.address() != expected {
        return Err(anchor::CONSTRAINT_SEEDS.of("pool"));
    }
    system::Create { payer, account, space: LEN, owner: &PROGRAM }.invoke(&[&[
        seed,
        config,
        &larger.0,
        &smaller.0,
        &[bump],
    ]])?;
    position.create_account()?;
    create_vault(context, 0)?;
    create_vault(context, 1)
}

/// Creates a vault with room for the token account extensions that the mint requires.
#[inline(never)]
fn create_vault(context: &Context, side: usize) -> Result {
    let Token { mint, vault, program } = context.tokens[side];
    let NewPosition { payer, pool, authority, .. } = context.position;
    let space = if mint.is_owned_by(&token::PROGRAM) {
        token::ACCOUNT_LEN
    } else {
        token::account_size(&mint.data()?, false)
    };
    let seeds = [VAULT_SEED, &mint.address().0[..], &pool.address().0[..]];
    create_derived(payer, vault, (space, program.address()), seeds)?;
    InitializeAccount3 { program, account: vault, mint, owner: authority.address() }.invoke()
}

/// Fails with InvalidTokenBadge unless each mint is harmless or has a badge. The badges follow the accounts, each at
/// the place of its side.
#[inline(never)]
pub fn check_mints(context: &Context, badges: &[Account]) -> Result {
    for (side, token) in context.tokens.iter().enumerate() {
        if is_supported(token.mint)? {
            continue;
        }
        let badge = *badges.get(side).ok_or(INVALID_TOKEN_BADGE)?;
        let data = load(badge, &BADGE, BADGE_LEN, "token_badge")?;
        require(bytes::address_at(&data, 8).as_ref() == Some(token.mint.address()), INVALID_TOKEN_BADGE)?;
    }
    Ok(())
}
