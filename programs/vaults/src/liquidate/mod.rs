//! `liquidate`: repays debt of positions whose collateral is worth too little, in exchange for a part of that
//! collateral.

pub mod absorb;
pub mod accounts;
pub mod bounds;
pub mod walk;

use crate::error::{
    EXCESS_SLIPPAGE_LIQUIDATION, INVALID_LIQUIDATION, INVALID_LIQUIDATION_AMT,
    INVALID_REMAINING_ACCOUNTS_INDICES, LIQUIDATE_REMAINING_ACCOUNTS_TOO_SHORT, LIQUIDATION_RESULT,
    TOP_TICK_DOES_NOT_EXIST,
};
use crate::events::{self, Liquidated};
use crate::math::tick::NO_TICK;
use crate::math::{div, div_up, mul, narrow, sub, BILLION, PRICE_ONE, RATE_ONE};
use crate::operate::read_claim;
use crate::oracle::Oracle;
use crate::prices;
use crate::state::branch::Branches;
use crate::state::debt_map::DebtMaps;
use crate::state::tick::Ticks;
use crate::state::vault::Prices;
use accounts::{Accounts, Checked, COUNT};
use bounds::Bounds;
use sluice_program::anchor::{self, decoded};
use sluice_program::bytes::{Reader, Writer};
use sluice_program::{cpi, log, Account, Address, Result};
use walk::Taken;

/// The maximum number of units by which the rounded debt may exceed the offered amount.
const MAX_ROUNDING: u128 = 100;

struct Arguments<'s> {
    /// The maximum of atoms to repay.
    debt: u64,
    /// The minimum of collateral per debt, in atoms. 1.0 is 10^15.
    col_per_unit_debt: u128,
    /// Whether previously absorbed amounts are taken first.
    absorbed_first: bool,
    claim: bool,
    counts: &'s [u8],
}

impl<'s> Arguments<'s> {
    fn decode(args: &'s [u8]) -> Option<Self> {
        let mut from = Reader::new(args);
        Some(Self {
            debt: from.u64()?,
            col_per_unit_debt: from.u128()?,
            absorbed_first: from.bool()?,
            claim: read_claim(&mut from)?,
            counts: from.prefixed()?,
        })
    }
}

/// The accounts after the interface's, and the number of each kind.
struct CountedAccounts<'s, 'a> {
    accounts: &'s [Account<'a>],
    counts: &'s [u8],
}

/// The accounts after the interface's, by kind.
pub struct RemainingAccounts<'s, 'a> {
    pub sources: &'s [Account<'a>],
    pub branches: Branches<'s, 'a>,
    pub ticks: Ticks<'s, 'a>,
    pub maps: DebtMaps<'s, 'a>,
    /// The minimum of raw debt that a branch keeps.
    pub min_rest: u128,
}

impl<'s, 'a> RemainingAccounts<'s, 'a> {
    /// Splits and checks the accounts. `counts` tells how many sources of the oracle, branches, ticks and maps there
    /// are.
    #[inline(never)]
    fn of(given: &CountedAccounts<'s, 'a>, checked: &Checked) -> Result<Self> {
        let &CountedAccounts { accounts, counts } = given;
        let &[sources, branches, ticks, maps] = counts else {
            return Err(INVALID_REMAINING_ACCOUNTS_INDICES.into());
        };
        let (sources, rest) = split(accounts, sources)?;
        let (branches, rest) = split(rest, branches)?;
        let (ticks, rest) = split(rest, ticks)?;
        let (maps, _) = split(rest, maps)?;
        let vault_id = checked.vault.vault_id;
        Ok(Self {
            sources,
            branches: Branches::check(branches, vault_id)?,
            ticks: Ticks::check(ticks, vault_id)?,
            maps: DebtMaps::check(maps, vault_id)?,
            min_rest: checked.borrow_scale.min_rest()?,
        })
    }
}

fn split<'s, 'a>(accounts: &'s [Account<'a>], count: u8) -> Result<(&'s [Account<'a>], &'s [Account<'a>])> {
    accounts.split_at_checked(count as usize).ok_or_else(|| LIQUIDATE_REMAINING_ACCOUNTS_TOO_SHORT.into())
}

/// The exchanged atoms.
struct Deal {
    debt: u64,
    col: u64,
}

/// Arguments: the maximum of atoms of debt to repay (0: only absorb), the minimum of collateral per debt, whether to
/// take absorbed amounts first, how the collateral is paid, and the counts of the remaining accounts. Returns two
/// u128: atoms of collateral and of debt. If the recipient is the zero address, the instruction fails with its result
/// in the log.
pub fn run(accounts: &[Account], args: &[u8]) -> Result {
    let arguments = decoded(Arguments::decode(args))?;
    let (named, rest) = anchor::accounts::<COUNT>(accounts)?;
    let accounts = Accounts::of(named);
    let mut checked = accounts.check()?;
    let remaining =
        RemainingAccounts::of(&CountedAccounts { accounts: rest, counts: arguments.counts }, &checked)?;
    let deal = match settle(&arguments, &accounts, &mut checked, &remaining)? {
        Some(deal) => deal,
        None => Deal { debt: 0, col: 0 },
    };
    checked.vault.store(accounts.vault)?;
    if deal.debt > 0 {
        if *accounts.to.address() == Address::ZERO {
            return Err(report(&deal, checked.vault.topmost_tick));
        }
        transfer(&deal, arguments.claim, &accounts, &checked)?;
    }
    let mut data = [0; 32];
    let mut to = Writer::new(&mut data);
    to.u128(deal.col as u128)?;
    to.u128(deal.debt as u128)?;
    cpi::set_return_data(&data);
    Ok(())
}

/// Logs collateral, debt and top tick, and returns the error with which a liquidation to the zero address ends.
#[cold]
fn report(deal: &Deal, top: i32) -> sluice_program::ProgramError {
    let mut line = log::Line::new();
    line.text("VaultLiquidationResult: [").number(deal.col).text(", ").number(deal.debt).text(", ");
    if top < 0 {
        line.text("-");
    }
    line.number(top.unsigned_abs() as u64).text("]").emit();
    LIQUIDATION_RESULT.into()
}

/// Changes the vault. Returns the exchanged atoms, which are zero if debt was only absorbed.
#[inline(never)]
fn settle(
    arguments: &Arguments,
    accounts: &Accounts,
    checked: &mut Checked,
    remaining: &RemainingAccounts,
) -> Result<Option<Deal>> {
    let start = checked.vault.topmost_tick;
    if start == NO_TICK {
        return Err(TOP_TICK_DOES_NOT_EXIST.into());
    }
    let offered = checked.borrow_scale.up(arguments.debt as u128)?;
    let prices = prices::current(&checked.vault, &checked.config, &checked.reserves)?;
    let oracle = Oracle {
        program: accounts.oracle_program,
        account: accounts.oracle,
        nonce: checked.oracle_nonce,
        sources: remaining.sources,
    };
    let bounds = Bounds::of(&checked.config, &prices, &oracle)?;
    if start > bounds.max_tick {
        absorb_above(&bounds, accounts, checked, remaining)?;
        if arguments.debt == 0 {
            return Ok(None);
        }
    }
    let mut taken = begin(arguments, offered, checked, &prices)?;
    let vault = &mut checked.vault;
    if vault.topmost_tick > bounds.liquidation_tick && taken.remaining > 0 {
        if walk::is_done(vault, &bounds, remaining)? {
            if *accounts.to.address() == Address::ZERO {
                return Err(report(&Deal { debt: 0, col: 0 }, vault.topmost_tick));
            }
            return Err(INVALID_LIQUIDATION.into());
        }
        walk::liquidate(&mut taken, vault, &bounds, remaining)?;
        events::liquidate_info(vault.vault_id, start, vault.topmost_tick)?;
    }
    let deal = price(&taken, offered, checked, &prices)?;
    let per_debt = div(mul(deal.col as u128, RATE_ONE)?, deal.debt as u128)?;
    if per_debt < arguments.col_per_unit_debt {
        return Err(EXCESS_SLIPPAGE_LIQUIDATION.into());
    }
    let vault = &mut checked.vault;
    vault.move_supply(taken.col, 0)?;
    vault.move_borrow(taken.debt, 0)?;
    Ok(Some(deal))
}

#[inline(always)]
fn absorb_above(
    bounds: &Bounds,
    accounts: &Accounts,
    checked: &mut Checked,
    remaining: &RemainingAccounts,
) -> Result {
    let absorbed = absorb::absorb(&mut checked.vault, bounds.max_tick, remaining, accounts.new_branch)?;
    events::absorbed(
        narrow(checked.supply_scale.down(absorbed.col)?)?,
        narrow(checked.borrow_scale.down(absorbed.debt)?)?,
    )
}

/// Determines the raw debt to take, and how much of it was absorbed before. Fails with VaultInvalidLiquidationAmt if
/// it is less than the minimum debt of a position, or less than a part in 10^9 of all debt.
#[inline(always)]
fn begin(arguments: &Arguments, offered: u128, checked: &mut Checked, prices: &Prices) -> Result<Taken> {
    if offered < checked.borrow_scale.min_debt()? {
        return Err(INVALID_LIQUIDATION_AMT.into());
    }
    let raw = div(mul(offered, PRICE_ONE)?, prices.vault_borrow as u128)?;
    if (checked.vault.total_borrow / BILLION as u64) as u128 > raw {
        return Err(INVALID_LIQUIDATION_AMT.into());
    }
    if !arguments.absorbed_first {
        return Ok(Taken { remaining: raw, debt: 0, col: 0 });
    }
    let absorbed = absorb::take(&mut checked.vault, raw)?;
    Ok(Taken { remaining: sub(raw, absorbed.debt)?, debt: absorbed.debt, col: absorbed.col })
}

/// Converts raw amounts to atoms: the debt is rounded up, the collateral down. Fails with VaultInvalidLiquidation if
/// nothing was taken, or if the debt exceeds the offered amount by more than rounding.
#[inline(always)]
fn price(taken: &Taken, offered: u128, checked: &Checked, prices: &Prices) -> Result<Deal> {
    let mut debt = div_up(mul(taken.debt, prices.vault_borrow as u128)?, PRICE_ONE)?;
    let mut col = div(mul(taken.col, prices.vault_supply as u128)?, PRICE_ONE)?;
    if debt > offered {
        if debt - offered > MAX_ROUNDING {
            events::rounding_difference(checked.config.vault_id, narrow(debt)?, narrow(offered)?)?;
            return Err(INVALID_LIQUIDATION.into());
        }
        col = div(mul(col, offered)?, debt)?;
        debt = offered;
    }
    if debt == 0 {
        return Err(INVALID_LIQUIDATION.into());
    }
    Ok(Deal {
        debt: narrow(checked.borrow_scale.down_rounded_up(debt)?)?,
        col: narrow(checked.supply_scale.down(col)?)?,
    })
}

/// Repays the debt, then pays the collateral out.
#[inline(never)]
fn transfer(deal: &Deal, claim: bool, accounts: &Accounts, checked: &Checked) -> Result {
    let config = &checked.config;
    accounts.borrow_side(&checked.borrow).pay_in(config, deal.debt, &accounts.payer())?;
    accounts.supply_side(&checked.supply).pay_out(config, deal.col, &accounts.payee(claim))?;
    events::liquidated(&Liquidated {
        signer: accounts.signer.address(),
        col: deal.col,
        debt: deal.debt,
        to: accounts.to.address(),
    })
}
