//! The instruction `create_locker`: it moves the base tokens that vest for the creator into the locker.

use super::flash_rent::advanced;
use super::swap::check_vault;
use crate::error::{require, NOT_PERMIT_TO_DO_THIS_ACTION};
use crate::keys::{AUTHORITY, AUTHORITY_BUMP, AUTHORITY_SEED, BASE_LOCKER_SEED, LOCKER_PROGRAM, PROGRAM};
use crate::state::config::PoolConfig;
use crate::state::pool::{VirtualPool, LOCKED_VESTING, POST_BONDING_CURVE};
use crate::token::Token;
use sluice_program::bytes::Writer;
use sluice_program::token::{TokenAccount, PROGRAMS};
use sluice_program::{anchor, cpi, log, system, Account, Result};

const CREATE_VESTING_ESCROW: [u8; 8] = anchor::instruction("create_vesting_escrow_v2");
/// Only the recipient may name another recipient.
const UPDATED_BY_RECIPIENT: u8 = 2;
/// Only the creator of the escrow may cancel it, which is the pools' authority, and it never does.
const CANCELLED_BY_CREATOR: u8 = 1;

/// The accounts in the interface's order.
struct Context<'a> {
    pool: Account<'a>,
    config: Account<'a>,
    authority: Account<'a>,
    vault: Account<'a>,
    mint: Account<'a>,
    base: Account<'a>,
    creator: Account<'a>,
    escrow: Account<'a>,
    escrow_tokens: Account<'a>,
    payer: Account<'a>,
    token_program: Account<'a>,
    locker_program: Account<'a>,
    locker_event_authority: Account<'a>,
    system_program: Account<'a>,
}

struct Checked {
    config: PoolConfig,
    pool: VirtualPool,
    /// The bump of the address from which the escrow's follows.
    bump: u8,
}

/// Anybody may call it, once the curve is sold out. The escrow's token account must exist.
pub fn create(accounts: &[Account]) -> Result {
    let (given, _) = anchor::accounts::<14>(accounts)?;
    let &[pool, config, authority, vault, mint, base, creator, ref given @ ..] = given;
    let &[escrow, escrow_tokens, payer, token_program, locker_program, locker_event_authority, system_program] =
        given;
    let context = Context {
        pool,
        config,
        authority,
        vault,
        mint,
        base,
        creator,
        escrow,
        escrow_tokens,
        payer,
        token_program,
        locker_program,
        locker_event_authority,
        system_program,
    };
    let Checked { config, mut pool, bump } = check(&context)?;
    require(pool.progress()? == POST_BONDING_CURVE, NOT_PERMIT_TO_DO_THIS_ACTION)?;
    advanced(context.authority, context.payer, || {
        log::text("create vesting escrow for creator");
        create_escrow(&context, &config, &pool, bump)
    })?;
    pool.migration_progress = LOCKED_VESTING;
    pool.save(context.pool)
}

#[inline(never)]
fn check(context: &Context) -> Result<Checked> {
    let pool = VirtualPool::load(context.pool, "virtual_pool")?;
    let config = PoolConfig::load(context.config, "config")?;
    TokenAccount::load(context.vault, "base_vault")?;
    anchor::check_signer(context.payer, "payer")?;
    anchor::check_program(context.token_program, &PROGRAMS, "token_program")?;
    anchor::check_program(context.system_program, &[system::PROGRAM], "system_program")?;
    anchor::check_writable(context.pool, "virtual_pool")?;
    let named = [pool.config, pool.creator, pool.vaults[0], pool.base_mint];
    let given = [context.config, context.creator, context.vault, context.mint];
    if named != given.map(|account| *account.address()) {
        return Err(anchor::CONSTRAINT_HAS_ONE.of("virtual_pool"));
    }
    anchor::check_writable(context.authority, "pool_authority")?;
    anchor::check_address(context.authority, &AUTHORITY, "pool_authority")?;
    let base = Token { mint: context.mint, vault: context.vault, program: context.token_program };
    check_vault(&base, "base_vault")?;
    anchor::check_writable(context.mint, "base_mint")?;
    let seeds = [BASE_LOCKER_SEED, &context.pool.address().0];
    let bump = anchor::check_derived(context.base, &seeds, &PROGRAM, "base")?;
    anchor::check_writable(context.base, "base")?;
    anchor::check_writable(context.escrow, "escrow")?;
    anchor::check_writable(context.escrow_tokens, "escrow_token")?;
    anchor::check_writable(context.payer, "payer")?;
    anchor::check_address(context.locker_program, &LOCKER_PROGRAM, "locker_program")?;
    Ok(Checked { config, pool, bump })
}

#[inline(never)]
fn create_escrow(context: &Context, config: &PoolConfig, pool: &VirtualPool, bump: u8) -> Result {
    let vesting = &config.locked_vesting;
    let start = pool.finish_curve_timestamp;
    let mut data = [0; 8 + 6 * 8 + 3];
    let mut writer = Writer::new(&mut data);
    writer.array(&CREATE_VESTING_ESCROW)?;
    for number in [
        start,
        start.saturating_add(vesting.cliff_duration),
        vesting.frequency,
        vesting.cliff_amount,
        vesting.amount_per_period,
        vesting.periods,
    ] {
        writer.u64(number)?;
    }
    // The last byte says that no further accounts follow.
    writer.array(&[UPDATED_BY_RECIPIENT, CANCELLED_BY_CREATOR, 0])?;
    let accounts = [
        context.base.writable_signer(),
        context.escrow.writable(),
        context.mint.readonly(),
        context.escrow_tokens.writable(),
        context.authority.writable_signer(),
        context.vault.writable(),
        context.creator.readonly(),
        context.token_program.readonly(),
        context.system_program.readonly(),
        context.locker_event_authority.readonly(),
        context.locker_program.readonly(),
    ];
    let base_seeds: [&[u8]; 3] = [BASE_LOCKER_SEED, &context.pool.address().0, &[bump]];
    cpi::invoke(&LOCKER_PROGRAM, &accounts, &data, &[&base_seeds, &[AUTHORITY_SEED, &[AUTHORITY_BUMP]]])
}
