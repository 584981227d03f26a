//! The instruction `create_market_result`.

use sluice_program::anchor::{self, decoded};
use sluice_program::bytes::Reader;
use sluice_program::sysvar::Clock;
use sluice_program::{layout, log, system, Account, Result};

use crate::accounts::{MarketResult, OUTCOME_REFUND, RESULT_SEED, RESULT_SPACE};
use crate::errors::{
    INVALID_ARGUMENT, INVALID_MARKET_RESULT, INVALID_SETTLEMENT_TIME, MARKET_ALREADY_SETTLED,
};
use crate::text::MarketId;
use crate::vault::{Vault, PROGRAM};

/// How far in the future claims may begin, so that no mistake locks a market: 30 days.
const MAX_DELAY: i64 = 30 * 86_400;

/// The keeper posts the result of a market. It is final; only claims that it does not enable can be enabled later, by
/// the same result once more.
pub fn run(accounts: &[Account], args: &[u8]) -> Result {
    let (accounts, _) = anchor::accounts::<4>(accounts)?;
    let &[keeper, result, system_program, vault] = accounts;
    let mut from = Reader::new(args);
    let id = decoded(from.prefixed())?;
    let outcome = decoded(from.u8())?;
    let settlement_time = decoded(from.i64())?;
    let claims_enabled = decoded(from.bool())?;
    let market_id = MarketId::parse(id).ok_or(INVALID_ARGUMENT)?;
    Vault::load(vault)?.check_keeper(keeper)?;
    anchor::check_program(system_program, &[system::PROGRAM], "system_program")?;
    anchor::check_writable(result, "market_result")?;
    if outcome > OUTCOME_REFUND {
        return Err(INVALID_MARKET_RESULT.into());
    }
    let now = Clock::get()?.unix_timestamp;
    if settlement_time > now.saturating_add(MAX_DELAY) {
        return Err(INVALID_SETTLEMENT_TIME.into());
    }
    let bump = MarketResult::check_address(result, &market_id)?;
    let state = if result.is_owned_by(&PROGRAM) {
        enable_claims(result, outcome, claims_enabled)?
    } else {
        create(keeper, result, &market_id, bump)?;
        // A position that was opened before the result is never taken for a later one, and none can be afterwards.
        let settlement_time = if settlement_time < now { now } else { settlement_time };
        MarketResult { market_id, outcome, settlement_time, claims_enabled, created_at: now, bump }
    };
    layout::store(&state, result)?;
    log::Line::new().text("Market result: outcome=").number(outcome as u64).emit();
    Ok(())
}

#[inline(never)]
fn enable_claims(account: Account, outcome: u8, claims_enabled: bool) -> Result<MarketResult> {
    let mut result = MarketResult::load(account)?;
    if result.claims_enabled || !claims_enabled || result.outcome != outcome {
        return Err(MARKET_ALREADY_SETTLED.of("market_result"));
    }
    result.claims_enabled = true;
    Ok(result)
}

#[inline(never)]
fn create(keeper: Account, result: Account, market_id: &MarketId, bump: u8) -> Result {
    system::Create { payer: keeper, account: result, space: RESULT_SPACE, owner: &PROGRAM }.invoke(&[&[
        RESULT_SEED,
        &market_id.0,
        &[bump],
    ]])
}
