//! The instruction `withdraw_leftover`: the base tokens of a fixed supply that are neither sold, migrated nor burned.

use super::swap::check_vault;
use crate::error::{require, LEFTOVER_HAS_BEEN_WITHDRAW, MATH_OVERFLOW, NOT_PERMIT_TO_DO_THIS_ACTION};
use crate::events;
use crate::keys::AUTHORITY;
use crate::state::config::PoolConfig;
use crate::state::pool::{VirtualPool, CREATED_POOL};
use crate::token::Token;
use sluice_program::token::{Mint, TokenAccount, PROGRAMS};
use sluice_program::{anchor, associated_token, Account, Address, Result};

const EVENT: [u8; 8] = anchor::event("EvtWithdrawLeftover");

sluice_program::errors! {
    CONSTRAINT_ASSOCIATED = 2009 ConstraintAssociated "The account must be the associated token account"
    CONSTRAINT_ASSOCIATED_TOKEN_TOKEN_PROGRAM = 2023 ConstraintAssociatedTokenTokenProgram "The associated token account is of another token program"
}

/// The accounts in the interface's order.
struct Context<'a> {
    authority: Account<'a>,
    config: Account<'a>,
    pool: Account<'a>,
    receiver_tokens: Account<'a>,
    base: Token<'a>,
    receiver: Account<'a>,
    event_authority: Account<'a>,
}

struct Checked {
    config: PoolConfig,
    pool: VirtualPool,
    in_vault: u64,
}

/// Pays the leftover to the receiver whom the configuration names. Anybody may call it.
pub fn withdraw(accounts: &[Account]) -> Result {
    let (given, _) = anchor::accounts::<10>(accounts)?;
    let &[authority, config, pool, receiver_tokens, vault, mint, receiver, token_program, ref events @ ..] =
        given;
    let &[event_authority, _] = events;
    let base = Token { mint, vault, program: token_program };
    let context = Context { authority, config, pool, receiver_tokens, base, receiver, event_authority };
    let Checked { config, mut pool, in_vault } = check(&context)?;
    require(pool.progress()? == CREATED_POOL, NOT_PERMIT_TO_DO_THIS_ACTION)?;
    require(config.has_fixed_supply(), NOT_PERMIT_TO_DO_THIS_ACTION)?;
    require(pool.is_withdraw_leftover == 0, LEFTOVER_HAS_BEEN_WITHDRAW)?;
    let left = in_vault.checked_sub(pool.unclaimed_base_fees()?).ok_or(MATH_OVERFLOW)?;
    let amount = left.checked_sub(pool.protocol_migration_fees[0]).ok_or(MATH_OVERFLOW)?;
    pool.is_withdraw_leftover = 1;
    context.base.pay_out(context.receiver_tokens, context.authority, amount)?;
    pool.save(context.pool)?;
    events::emit(context.event_authority, &EVENT, |event| {
        event.address(context.pool.address())?;
        event.address(context.receiver.address())?;
        event.u64(amount)
    })
}

#[inline(never)]
fn check(context: &Context) -> Result<Checked> {
    let Context { base, .. } = context;
    let config = PoolConfig::load(context.config, "config")?;
    let pool = VirtualPool::load(context.pool, "virtual_pool")?;
    let receiver = TokenAccount::load(context.receiver_tokens, "token_base_account")?;
    let vault = TokenAccount::load(base.vault, "base_vault")?;
    Mint::load(base.mint, "base_mint")?;
    anchor::check_program(base.program, &PROGRAMS, "token_base_program")?;
    anchor::check_address(context.authority, &AUTHORITY, "pool_authority")?;
    if *context.receiver.address() != config.leftover_receiver {
        return Err(anchor::CONSTRAINT_HAS_ONE.of("config"));
    }
    anchor::check_writable(context.pool, "virtual_pool")?;
    let named = [pool.base_mint, pool.vaults[0], pool.config];
    let given = [base.mint, base.vault, context.config].map(|account| *account.address());
    if named != given {
        return Err(anchor::CONSTRAINT_HAS_ONE.of("virtual_pool"));
    }
    check_receiver(context, &receiver.owner)?;
    check_vault(base, "base_vault")?;
    events::check_authority(context.event_authority)?;
    Ok(Checked { config, pool, in_vault: vault.amount })
}

/// Fails unless the token account is the one associated with the receiver.
#[inline(never)]
fn check_receiver(context: &Context, owner: &Address) -> Result {
    const NAME: &str = "token_base_account";
    let Context { base, receiver, receiver_tokens, .. } = context;
    if !receiver_tokens.is_owned_by(base.program.address()) {
        return Err(CONSTRAINT_ASSOCIATED_TOKEN_TOKEN_PROGRAM.of(NAME));
    }
    if owner != receiver.address() {
        return Err(anchor::CONSTRAINT_TOKEN_OWNER.of(NAME));
    }
    let expected = associated_token::find(receiver.address(), base.mint.address(), base.program.address())?;
    if *receiver_tokens.address() != expected {
        return Err(CONSTRAINT_ASSOCIATED.of(NAME));
    }
    anchor::check_writable(*receiver_tokens, NAME)
}
