//! The instruction `migration_damm_v2`.

use super::accounts::{Checked, Context};
use super::calls::{subtract, NewPool};
use super::shares::{self, Share};
use super::{config, positions};
use crate::error::{
    require, INVALID_MIGRATION_FEE_OPTION, INVALID_MIGRATION_OPTION, MATH_OVERFLOW,
    MISSING_POOL_CONFIG_IN_REMAINING_ACCOUNT, NOT_PERMIT_TO_DO_THIS_ACTION, POOL_IS_INCOMPLETED,
};
use crate::instructions::flash_rent::advanced;
use crate::liquidity::{Migrated, Start};
use crate::state::config::{PoolConfig, CUSTOMIZABLE, DAMM_V2};
use crate::state::pool::{VirtualPool, CREATED_POOL, LOCKED_VESTING};
use sluice_program::sysvar::Clock;
use sluice_program::{anchor, log, token, Account, Result};

/// What is to migrate.
struct Plan {
    migrated: Migrated,
    /// The amounts without the protocol's share.
    amounts: [u64; 2],
    start: Start,
    /// The larger share, for which the pool is created, and the other one.
    shares: [Share; 2],
    now: u64,
}

/// Creates the pool of DAMM v2, with the liquidity of a curve that raised enough. Anybody may call it; the
/// configuration of DAMM v2 follows the accounts.
pub fn damm_v2(accounts: &[Account]) -> Result {
    let (given, rest) = anchor::accounts::<25>(accounts)?;
    let context = Context::of(given);
    let Checked { config, mut virtual_pool, held } = context.check()?;
    let damm_config = check_terms(&config, rest)?;
    check_stage(&config, &virtual_pool)?;
    let claims = virtual_pool.unclaimed_base_fees()?;
    let mut plan = plan(&config, &mut virtual_pool, held[0].checked_sub(claims).ok_or(MATH_OVERFLOW)?)?;
    create_first(&context, damm_config, &config, &plan)?;
    create_second(&context, &mut plan, &held)?;
    virtual_pool.is_migrated = 1;
    burn_rest(&context, &config, &virtual_pool, claims)?;
    virtual_pool.migration_progress = CREATED_POOL;
    virtual_pool.save(context.virtual_pool)
}

/// Returns the configuration of DAMM v2 that was given, if it fits the option of the partner.
#[inline(never)]
fn check_terms<'a>(terms: &PoolConfig, rest: &[Account<'a>]) -> Result<Account<'a>> {
    require(terms.migration_fee_option <= CUSTOMIZABLE, INVALID_MIGRATION_FEE_OPTION)?;
    let damm_config = *rest.first().ok_or(MISSING_POOL_CONFIG_IN_REMAINING_ACCOUNT)?;
    config::check(damm_config, terms.migration_fee_option)?;
    Ok(damm_config)
}

#[inline(never)]
fn check_stage(config: &PoolConfig, virtual_pool: &VirtualPool) -> Result {
    require(virtual_pool.progress()? == LOCKED_VESTING, NOT_PERMIT_TO_DO_THIS_ACTION)?;
    require(virtual_pool.is_complete(config), POOL_IS_INCOMPLETED)?;
    require(config.migration_option == DAMM_V2, INVALID_MIGRATION_OPTION)
}

/// Computes what migrates, and stores the protocol's share of it. `base` is what the vault holds without the fees.
#[inline(never)]
fn plan(config: &PoolConfig, virtual_pool: &mut VirtualPool, base: u64) -> Result<Plan> {
    let now = Clock::get()?.unix_timestamp as u64;
    let migrated = Migrated::of(config)?;
    let all = migrated.amounts(config, base)?;
    let fees = migrated.protocol_fees(&all, virtual_pool.protocol_migration_fee_bps)?;
    virtual_pool.protocol_migration_fees = fees;
    let amounts = subtract(&all, &fees)?;
    let start = migrated.start(&amounts)?;
    let shares = shares::in_order(config, &virtual_pool.creator, start.distributable)?;
    Ok(Plan { migrated, amounts, start, shares, now })
}

/// Creates the pool with the larger share.
#[inline(never)]
fn create_first(context: &Context, damm_config: Account, config: &PoolConfig, plan: &Plan) -> Result {
    log::text("create pool");
    let share = &plan.shares[0];
    let liquidity = share.total()?.checked_add(plan.start.dead).ok_or(MATH_OVERFLOW)?;
    let new = NewPool { liquidity, sqrt_price: plan.start.sqrt_price };
    advanced(context.authority, context.payer, || context.create_pool(damm_config, config, &new))?;
    log::text("transfer ownership of the first position");
    positions::finish(context, &context.first, share, plan.now)
}

/// Puts what the first position left of the amounts into the second one. Rounding may leave something for an owner
/// without a share.
#[inline(never)]
fn create_second(context: &Context, plan: &mut Plan, held: &[u64; 2]) -> Result {
    let left = subtract(&plan.amounts, &context.taken(held)?)?;
    let liquidity = plan.migrated.more(&left, &positions::read_reserves(context.pool)?)?;
    if liquidity == 0 {
        return Ok(());
    }
    log::text("create second position");
    positions::make_second(context, &mut plan.shares[1], liquidity, plan.now)
}

/// Burns the base tokens that are left, except those of the fees. Of a fixed supply, it burns at most what the
/// partner wants to be gone after the migration.
#[inline(never)]
fn burn_rest(context: &Context, config: &PoolConfig, virtual_pool: &VirtualPool, claims: u64) -> Result {
    let kept = claims.checked_add(virtual_pool.protocol_migration_fees[0]).ok_or(MATH_OVERFLOW)?;
    let left = token::amount_of(context.tokens[0].vault)?.checked_sub(kept).ok_or(MATH_OVERFLOW)?;
    let most = if config.has_fixed_supply() {
        let [before, after] = [config.pre_migration_token_supply, config.post_migration_token_supply];
        before.checked_sub(after).ok_or(MATH_OVERFLOW)?
    } else {
        u64::MAX
    };
    match left.min(most) {
        0 => Ok(()),
        amount => context.burn(amount),
    }
}
