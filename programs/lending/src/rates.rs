//! The growth of a share's price, by the liquidity program's supply price and by rewards.

use crate::error::LIQUIDITY_EXCHANGE_PRICE_UNEXPECTED;
use crate::events;
use crate::state::lending::Lending;
use crate::state::liquidity::Reserve;
use crate::state::rewards::Rewards;
use sluice_program::interest::{self, LIBRARY_CASTING, LIBRARY_MATH, PRICE_ONE, YEAR};
use sluice_program::sysvar::Clock;
use sluice_program::token::Mint;
use sluice_program::{math, wide, Account, Result};

/// 100 percent of a return.
const WHOLE: u64 = 100_000_000_000_000;
/// The maximum of rewards per year, relative to all assets.
const MAX_REWARDS_RATE: u64 = WHOLE / 2;

/// Returns the Unix second of the slot.
pub fn now() -> Result<u64> {
    u64::try_from(Clock::get()?.unix_timestamp).map_err(|_| LIBRARY_CASTING.into())
}

/// The accounts on which the price of a share depends.
#[derive(Clone, Copy)]
pub struct Sources<'a> {
    pub receipt_mint: Account<'a>,
    pub reserve: Account<'a>,
    pub rewards: Account<'a>,
}

/// Updates the prices to the present time, only in `lending`.
#[inline(never)]
pub fn refresh(lending: &mut Lending, from: &Sources) -> Result {
    let now = now()?;
    let reserve = Reserve::load(from.reserve)?;
    let rewards = Rewards::load(from.rewards)?;
    let shares = Mint::load(from.receipt_mint, "f_token_mint")?.supply;
    let liquidity_price = interest::prices_at(&reserve.accrual, now)?.supply;
    let before = lending.liquidity_price;
    let grown = liquidity_price.checked_sub(before).ok_or(LIQUIDITY_EXCHANGE_PRICE_UNEXPECTED)?;
    let interest = math::mul_div_floor(grown, WHOLE, before).ok_or(LIBRARY_MATH)?;
    let assets = math::mul_div_floor(shares, lending.token_price, PRICE_ONE).ok_or(LIBRARY_CASTING)?;
    let rewarded = rewards_return(&rewards, assets, lending.last_update, now)?;
    let total = interest.checked_add(rewarded).ok_or(LIBRARY_MATH)?;
    let increase = math::mul_div_floor(lending.token_price, total, WHOLE).ok_or(LIBRARY_CASTING)?;
    lending.token_price = lending.token_price.checked_add(increase).ok_or(LIBRARY_MATH)?;
    lending.liquidity_price = liquidity_price;
    lending.last_update = now;
    Ok(())
}

/// Does the same as [`refresh`], writes the account, and logs the prices.
#[inline(never)]
pub fn update(lending: &mut Lending, account: Account, from: &Sources) -> Result {
    refresh(lending, from)?;
    lending.store(account)?;
    events::rates(lending.token_price, lending.liquidity_price)
}

/// Returns the return of rewards from second `since` to `now`, in parts of `WHOLE`: first of the present rewards,
/// then of the queued ones. It is zero while the assets are fewer than `start_tvl`.
fn rewards_return(rewards: &Rewards, assets: u64, since: u64, now: u64) -> Result<u64> {
    let started = rewards.start_time != 0 && rewards.duration != 0 && now >= rewards.start_time;
    if !started || assets < rewards.start_tvl {
        return Ok(0);
    }
    let end = rewards.start_time.saturating_add(rewards.duration);
    let first = returned(rewards.yearly_reward, assets, overlap(rewards.start_time, end, since, now))?;
    if rewards.next_reward_amount == 0 || now <= end {
        return Ok(first);
    }
    // A product that exceeds u64 exceeds the maximum rate of any amount of assets.
    let yearly = math::mul_div_floor(rewards.next_reward_amount, YEAR, rewards.next_duration);
    let yearly = yearly.unwrap_or(u64::MAX);
    let next_end = end.saturating_add(rewards.next_duration);
    let second = returned(yearly, assets, overlap(end, next_end, since, now))?;
    first.checked_add(second).ok_or_else(|| LIBRARY_MATH.into())
}

fn overlap(start: u64, end: u64, since: u64, now: u64) -> u64 {
    now.min(end).saturating_sub(since.max(start))
}

fn returned(yearly: u64, assets: u64, seconds: u64) -> Result<u64> {
    let scaled = wide::div_floor(math::widening_mul(yearly, WHOLE), assets as u128).ok_or(LIBRARY_MATH)?;
    let rate = math::narrow(scaled).unwrap_or(u64::MAX).min(MAX_REWARDS_RATE);
    math::mul_div_floor(rate, seconds, YEAR).ok_or_else(|| LIBRARY_MATH.into())
}
