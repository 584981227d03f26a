//! The instructions `claim_payout`, `claim_payout2` and `claim_refund`.

use sluice_program::sysvar::Clock;
use sluice_program::{anchor, layout, log, Account, Result};

use crate::accounts::{MarketResult, OUTCOME_REFUND, OUTCOME_SPLIT, OUTCOME_YES};
use crate::checks::check_tokens;
use crate::errors::{
    CLAIMS_NOT_ENABLED, INSUFFICIENT_CONTRACTS, INSUFFICIENT_VAULT_BALANCE, INVALID_MARKET_RESULT,
    INVALID_OWNER, MATH_OVERFLOW, PAYOUT_ALREADY_CLAIMED, POSITION_OPENED_AFTER_SETTLEMENT,
    SETTLEMENT_DELAY_NOT_PASSED, WITHDRAWALS_DISABLED,
};
use crate::events::Settlement;
use crate::math::mul_div_floor;
use crate::position::{check_position, Position};
use crate::vault::{check_vault_tokens, Vault, VaultPayout, ONE};

/// The owner claims a won or split position, or the refund of one in a cancelled market.
pub fn run(accounts: &[Account]) -> Result {
    let claim = Claim::open(accounts)?;
    anchor::check_signer(claim.signer, "owner")?;
    let position = Position::load(claim.position)?;
    if position.owner != *claim.signer.address() {
        return Err(INVALID_OWNER.of("owner"));
    }
    let vault = Vault::load(claim.payout.vault)?;
    claim.pay(vault, position, 0, |_| true)
}

/// The keeper claims a won or split position for its owner, once the delay of the vault has passed.
pub fn run_by_keeper(accounts: &[Account]) -> Result {
    let claim = Claim::open(accounts)?;
    let vault = Vault::load(claim.payout.vault)?;
    vault.check_keeper(claim.signer)?;
    let delay = vault.settlement_delay_seconds;
    claim.pay(vault, Position::load(claim.position)?, delay, |outcome| outcome != OUTCOME_REFUND)
}

/// The keeper gives the owner of a position in a cancelled market its refund, or half of each contract, at once.
pub fn run_refund(accounts: &[Account]) -> Result {
    let claim = Claim::open(accounts)?;
    let vault = Vault::load(claim.payout.vault)?;
    vault.check_keeper(claim.signer)?;
    claim.pay(vault, Position::load(claim.position)?, 0, |outcome| outcome > OUTCOME_YES)
}

struct Claim<'a> {
    signer: Account<'a>,
    position: Account<'a>,
    result: Account<'a>,
    receiver: Account<'a>,
    payout: VaultPayout<'a>,
}

impl<'a> Claim<'a> {
    #[inline(never)]
    fn open(accounts: &[Account<'a>]) -> Result<Self> {
        let (accounts, _) = anchor::accounts::<7>(accounts)?;
        let &[signer, vault, position, result, receiver, tokens, token_program] = accounts;
        anchor::check_writable(vault, "vault")?;
        check_position(position, position.address())?;
        check_vault_tokens(tokens, token_program)?;
        Ok(Self { signer, position, result, receiver, payout: VaultPayout { vault, tokens, token_program } })
    }

    /// Pays what the contracts of the position are worth, and takes them away. `accepts` tells for which outcomes this
    /// instruction is.
    #[inline(always)]
    fn pay(&self, vault: Vault, position: Position, delay: u64, accepts: impl FnOnce(u8) -> bool) -> Result {
        let result = check_settled(self.result, &position, delay)?;
        if vault.withdrawals_disabled {
            return Err(WITHDRAWALS_DISABLED.into());
        }
        if !accepts(result.outcome) {
            return Err(INVALID_MARKET_RESULT.of("market_result"));
        }
        self.settle(vault, position, result.outcome)
    }

    #[inline(never)]
    fn settle(&self, mut vault: Vault, mut position: Position, outcome: u8) -> Result {
        let (payout, per_contract) = compute_payout(&position, outcome)?;
        check_tokens(self.receiver, &position.owner, "owner_token_account")?;
        let now = Clock::get()?.unix_timestamp;
        let (contracts, cost, fees) = (position.contracts, position.total_cost, position.fees_paid);
        let removed = position.remove(&mut vault, contracts, now)?;
        let realized = position.realize(payout, &removed)?;
        position.payout_claimed = true;
        position.payout_claimed_usd = payout;
        self.payout.pay(self.receiver, payout, &INSUFFICIENT_VAULT_BALANCE)?;
        layout::store(&vault, self.payout.vault)?;
        layout::store(&position, self.position)?;
        log_payout(&position, contracts, payout, realized);
        Settlement {
            address: self.position.address(),
            owner: &position.owner,
            market_id: &position.market_id,
            is_yes: position.is_yes,
            contracts,
            payout,
            realized,
            by: self.signer.address(),
            now,
            overall_fees: fees,
            overall_realized: position.realized_pnl,
            overall_cost: cost,
            outcome,
        }
        .claimed(per_contract)
    }
}

/// Reads the result of the position's market, and checks that the position takes part in it and that the time to settle
/// has come.
#[inline(never)]
pub fn check_settled(account: Account, position: &Position, delay: u64) -> Result<MarketResult> {
    let result = MarketResult::load(account)?;
    if result.market_id != position.market_id {
        return Err(INVALID_MARKET_RESULT.of("market_result"));
    }
    if !result.claims_enabled {
        return Err(CLAIMS_NOT_ENABLED.of("market_result"));
    }
    let from = result.settlement_time.checked_add_unsigned(delay).ok_or(MATH_OVERFLOW)?;
    if Clock::get()?.unix_timestamp < from {
        return Err(SETTLEMENT_DELAY_NOT_PASSED.of("market_result"));
    }
    if position.payout_claimed {
        return Err(PAYOUT_ALREADY_CLAIMED.of("position"));
    }
    if position.contracts == 0 {
        return Err(INSUFFICIENT_CONTRACTS.of("position"));
    }
    if position.opened_at > result.settlement_time {
        return Err(POSITION_OPENED_AFTER_SETTLEMENT.of("position"));
    }
    Ok(result)
}

/// Returns whether the position is on the side that has won, or on the one that has lost. A split and a refund have
/// neither.
pub fn has_won(position: &Position, outcome: u8) -> Option<bool> {
    if outcome > OUTCOME_YES {
        return None;
    }
    Some((outcome == OUTCOME_YES) == position.is_yes)
}

/// Returns what a position pays, and what each contract does: nothing by itself for a refund, which pays the cost.
#[inline(never)]
fn compute_payout(position: &Position, outcome: u8) -> Result<(u64, u64)> {
    match has_won(position, outcome) {
        Some(true) => Ok((position.contracts, ONE)),
        Some(false) => Err(INVALID_MARKET_RESULT.of("market_result")),
        None if outcome == OUTCOME_SPLIT => Ok((mul_div_floor(position.contracts, ONE / 2, ONE)?, ONE / 2)),
        None => Ok((position.total_cost, 0)),
    }
}

#[inline(never)]
fn log_payout(position: &Position, contracts: u64, payout: u64, realized: i64) {
    log::Line::new()
        .text("Payout claimed: owner=")
        .text(to_text(position.owner.to_base58().bytes()))
        .text(", market_id=")
        .text(to_text(&position.market_id.0))
        .text(", side=")
        .text(if position.is_yes { "YES" } else { "NO" })
        .text(", contracts=")
        .number(contracts)
        .text(", net_payout_usd=")
        .number(payout)
        .text(", fee_usd=0, realized_pnl=")
        .text(if realized < 0 { "-" } else { "" })
        .number(realized.unsigned_abs())
        .emit();
}

fn to_text(bytes: &[u8]) -> &str {
    core::str::from_utf8(bytes).unwrap_or("")
}
