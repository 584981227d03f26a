//! `operate`: supplies, withdraws, borrows and repays for a protocol.

mod accounts;
mod payment;

use accounts::{check_arrived, check_payees, check_positions, check_reserve};
use payment::pay_out;

use crate::checks;
use crate::error::{
    BORROW_LIMIT_REACHED, MAX_UTILIZATION_REACHED, MINT_MISMATCH, OPERATE_AMOUNTS_INSUFFICIENT,
    OPERATE_AMOUNTS_NEARLY_ZERO, OPERATE_AMOUNT_TOO_BIG, USER_BORROW_POSITION_REQUIRED, USER_PAUSED,
    USER_SUPPLY_POSITION_REQUIRED, WITHDRAWAL_LIMIT_REACHED,
};
use crate::events::{operated, Operated};
use crate::instructions::payout::Vault;
use crate::keys::PROGRAM;
use crate::math::limits;
use crate::math::{add, raw_ceil, raw_floor, sub};
use crate::refresh::{now, set_rate};
use crate::state::liquidity::Liquidity;
use crate::state::rate_model::RateModel;
use crate::state::totals::Totals;
use sluice_lending::state::BorrowPosition;
use sluice_lending::state::Reserve;
use sluice_lending::state::SupplyPosition;
use sluice_lending::state::ACTIVE;
use sluice_program::anchor::{self, decoded};
use sluice_program::bytes::Reader;
use sluice_program::interest::{self, Prices};
use sluice_program::token::TokenAccount;
use sluice_program::{cpi, math, Account, Address, Result};

/// If both amounts are below this, the operation is refused.
const MIN_AMOUNT: u64 = 10;
const SKIP: u8 = 0;
const DIRECT: u8 = 1;
const CLAIM: u8 = 2;

/// An amount with its direction.
#[derive(Clone, Copy)]
struct Amount {
    negative: bool,
    size: u64,
    /// The amount as it was passed, for the event.
    bits: u128,
}

impl Amount {
    /// Returns None if the amount exceeds 63 bits.
    fn of(bits: u128) -> Option<Self> {
        let negative = bits >> 127 == 1;
        let size = math::narrow(if negative { bits.wrapping_neg() } else { bits })?;
        if size > i64::MAX as u64 {
            return None;
        }
        Some(Self { negative, size, bits })
    }

    /// Returns the amount if it is positive, otherwise 0.
    fn positive(&self) -> u64 {
        if self.negative {
            0
        } else {
            self.size
        }
    }

    fn negated(&self) -> u64 {
        if self.negative {
            self.size
        } else {
            0
        }
    }
}

struct Arguments {
    supply: u128,
    borrow: u128,
    withdraw_to: Address,
    borrow_to: Address,
    transfer_type: u8,
}

impl Arguments {
    fn decode(args: &[u8]) -> Option<Self> {
        let mut from = Reader::new(args);
        let decoded = Self {
            supply: from.u128()?,
            borrow: from.u128()?,
            withdraw_to: from.address()?,
            borrow_to: from.address()?,
            transfer_type: from.u8()?,
        };
        if decoded.transfer_type > CLAIM {
            return None;
        }
        Some(decoded)
    }

    /// Returns the supply and the borrow amount after checking their ranges.
    fn amounts(&self) -> Result<(Amount, Amount)> {
        let supply = Amount::of(self.supply).ok_or(OPERATE_AMOUNT_TOO_BIG)?;
        let borrow = Amount::of(self.borrow).ok_or(OPERATE_AMOUNT_TOO_BIG)?;
        if supply.size < MIN_AMOUNT && borrow.size < MIN_AMOUNT {
            return Err(OPERATE_AMOUNTS_NEARLY_ZERO.into());
        }
        Ok((supply, borrow))
    }
}

struct Context<'a> {
    protocol: Account<'a>,
    reserve: Account<'a>,
    supply: Option<Account<'a>>,
    borrow: Option<Account<'a>>,
    withdraw_to: Option<Account<'a>>,
    borrow_to: Option<Account<'a>>,
    withdraw_claim: Option<Account<'a>>,
    borrow_claim: Option<Account<'a>>,
    vault: Vault<'a>,
    held: u64,
}

/// Arguments: the amounts to supply (negative: to withdraw) and to borrow (negative: to repay), the recipients of
/// withdrawn and of borrowed tokens, and the transfer types. Signed by the protocol. Returns both prices as u64.
pub fn run(accounts: &[Account], args: &[u8]) -> Result {
    let arguments = decoded(Arguments::decode(args))?;
    let (&[protocol, liquidity, reserve, mint, vault, supply, borrow, rate_model, ref rest @ ..], _) =
        anchor::accounts::<13>(accounts)?;
    let &[withdraw_to, borrow_to, borrow_claim, withdraw_claim, token_program] = rest;
    anchor::check_signer(protocol, "protocol")?;
    let state = Liquidity::load(liquidity)?;
    let mut totals = Reserve::load(reserve)?;
    let rates = RateModel::load(rate_model)?;
    let terms = checks::mint(mint, token_program)?;
    let held = TokenAccount::load(vault, "vault")?.amount;
    let vault =
        Vault { account: vault, liquidity, bump: state.bump, mint, decimals: terms.decimals, token_program };
    let context = Context {
        protocol,
        reserve,
        supply: anchor::optional(supply, &PROGRAM),
        borrow: anchor::optional(borrow, &PROGRAM),
        withdraw_to: anchor::optional(withdraw_to, &PROGRAM),
        borrow_to: anchor::optional(borrow_to, &PROGRAM),
        withdraw_claim: anchor::optional(withdraw_claim, &PROGRAM),
        borrow_claim: anchor::optional(borrow_claim, &PROGRAM),
        vault,
        held,
    };
    state.check_unlocked()?;
    check_reserve(&context, &totals, &rates)?;
    check_positions(&context)?;
    check_payees(&context, &arguments)?;

    let (supply, borrow) = arguments.amounts()?;
    check_arrived(&context, &totals, add(supply.positive(), borrow.negated())?)?;
    let now = now()?;
    let prices = interest::prices_at(&totals.accrual(), now)?;
    let operation = Operation { context: &context, prices, now };
    if supply.size > 0 {
        operation.supply(&mut totals, supply)?;
    }
    if borrow.size > 0 {
        operation.borrow(&mut totals, borrow)?;
    }
    totals.set_prices(prices);
    totals.last_update = now;
    totals.last_utilization = totals.utilization()?;
    if borrow.positive() > 0 && totals.last_utilization > totals.max_utilization {
        return Err(MAX_UTILIZATION_REACHED.into());
    }
    set_rate(&mut totals, &rates)?;
    totals.interacting_protocol = Address::ZERO;
    totals.interacting_timestamp = 0;
    totals.interacting_balance = 0;
    pay_out(&context, &mut totals, &arguments, (supply.negated(), borrow.positive()))?;
    totals.store(reserve)?;

    operated(&Operated {
        user: protocol.address(),
        mint: mint.address(),
        supply_amount: supply.bits,
        borrow_amount: borrow.bits,
        withdraw_to: &arguments.withdraw_to,
        borrow_to: &arguments.borrow_to,
        prices,
    })?;
    cpi::set_return_data(&(prices.supply as u128 | (prices.borrow as u128) << 64).to_le_bytes());
    Ok(())
}

/// The part of an operation that changes positions and totals, at the present prices.
struct Operation<'c, 'a> {
    context: &'c Context<'a>,
    prices: Prices,
    now: u64,
}

impl Operation<'_, '_> {
    #[inline(never)]
    fn supply(&self, totals: &mut Reserve, amount: Amount) -> Result {
        let account = self.context.supply.ok_or(USER_SUPPLY_POSITION_REQUIRED)?;
        let mut position = SupplyPosition::load(account)?;
        self.check_position(&position.mint, position.status)?;

        let with_interest = position.with_interest;
        let raw = self.raw(amount.size, with_interest, amount.negative, self.prices.supply)?;
        let limit = limits::withdrawal_limit_before(&position, position.amount, self.now)?;
        if amount.negative {
            position.amount = sub(position.amount, raw)?;
            if position.amount < limit {
                return Err(WITHDRAWAL_LIMIT_REACHED.into());
            }
            totals.subtract_supply(with_interest, raw)?;
        } else {
            position.amount = add(position.amount, raw)?;
            totals.add_supply(with_interest, raw)?;
        }
        position.withdrawal_limit = limits::withdrawal_limit_after(&position, position.amount, limit)?;
        position.last_update = self.now;
        position.store(account)
    }

    #[inline(never)]
    fn borrow(&self, totals: &mut Reserve, amount: Amount) -> Result {
        let account = self.context.borrow.ok_or(USER_BORROW_POSITION_REQUIRED)?;
        let mut position = BorrowPosition::load(account)?;
        self.check_position(&position.mint, position.status)?;

        let with_interest = position.with_interest;
        let raw = self.raw(amount.size, with_interest, !amount.negative, self.prices.borrow)?;
        let ceiling = limits::debt_ceiling_before(&position, position.amount, self.now)?;
        if amount.negative {
            position.amount = sub(position.amount, raw)?;
            totals.subtract_borrow(with_interest, raw)?;
        } else {
            position.amount = add(position.amount, raw)?;
            if position.amount > ceiling {
                return Err(BORROW_LIMIT_REACHED.into());
            }
            totals.add_borrow(with_interest, raw)?;
        }
        position.debt_ceiling = limits::debt_ceiling_after(&position, position.amount, ceiling)?;
        position.last_update = self.now;
        position.store(account)
    }

    fn check_position(&self, mint: &Address, status: u8) -> Result {
        if mint != self.context.vault.mint.address() {
            return Err(MINT_MISMATCH.into());
        }
        if status != ACTIVE {
            return Err(USER_PAUSED.into());
        }
        Ok(())
    }

    /// Fails with OperateAmountsInsufficient if the raw amount is zero.
    fn raw(&self, amount: u64, with_interest: bool, up: bool, price: u64) -> Result<u64> {
        let raw = match (with_interest, up) {
            (false, _) => amount,
            (true, true) => raw_ceil(amount, price)?,
            (true, false) => raw_floor(amount, price)?,
        };
        if raw == 0 {
            return Err(OPERATE_AMOUNTS_INSUFFICIENT.into());
        }
        Ok(raw)
    }
}
