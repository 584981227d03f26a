//! `operate`: deposits, withdraws, borrows and repays, in any combination.

pub mod accounts;
pub mod change;
pub mod latest;
pub mod place;
pub mod safety;

use crate::error::{INVALID_REMAINING_ACCOUNTS_INDICES, OPERATE_REMAINING_ACCOUNTS_TOO_SHORT};
use crate::events::{self, Operated, UserPosition};
use crate::liquidity::CLAIM;
use crate::math::amount::Scale;
use crate::math::tick::NO_TICK;
use crate::math::{narrow, sub};
use crate::oracle::Oracle;
use crate::prices;
use crate::state::branch::Branches;
use crate::state::debt_map::DebtMaps;
use crate::state::position::Holding;
use crate::state::vault::Prices;
use accounts::{Accounts, Checked, COUNT};
use change::{At, Change};
use place::{Before, VaultSide};
use safety::Limit;
use sluice_program::anchor::{self, decoded};
use sluice_program::bytes::{Reader, Writer};
use sluice_program::{cpi, Account, Result};

struct Arguments<'s> {
    change: Change,
    claim: bool,
    counts: &'s [u8],
}

impl<'s> Arguments<'s> {
    fn decode(args: &'s [u8]) -> Option<Self> {
        let mut from = Reader::new(args);
        Some(Self {
            change: Change { col: from.u128()? as i128, debt: from.u128()? as i128 },
            claim: read_claim(&mut from)?,
            counts: from.prefixed()?,
        })
    }
}

/// Reads an optional transfer type. Returns whether tokens are to be claimed later, or None if the bytes are invalid.
pub fn read_claim(from: &mut Reader) -> Option<bool> {
    if !from.bool()? {
        return Some(false);
    }
    match from.u8()? {
        kind if kind > CLAIM => None,
        kind => Some(kind == CLAIM),
    }
}

/// The accounts after the interface's, and the number of each kind.
struct CountedAccounts<'s, 'a> {
    accounts: &'s [Account<'a>],
    counts: &'s [u8],
}

/// The accounts after the interface's: the branches, and the maps of ticks with debt.
pub struct RemainingAccounts<'s, 'a> {
    pub sources: &'s [Account<'a>],
    pub branches: Branches<'s, 'a>,
    pub maps: DebtMaps<'s, 'a>,
    /// The scale of the borrowed token.
    pub borrow_scale: Scale,
}

impl<'s, 'a> RemainingAccounts<'s, 'a> {
    /// Splits and checks the accounts. `counts` tells how many sources of the oracle, branches and maps there are.
    #[inline(never)]
    fn of(given: &CountedAccounts<'s, 'a>, checked: &Checked) -> Result<Self> {
        let &CountedAccounts { accounts, counts } = given;
        let &[sources, branches, maps] = counts else {
            return Err(INVALID_REMAINING_ACCOUNTS_INDICES.into());
        };
        let (sources, rest) = split(accounts, sources)?;
        let (branches, rest) = split(rest, branches)?;
        let (maps, _) = split(rest, maps)?;
        let vault_id = checked.vault.vault_id;
        Ok(Self {
            sources,
            branches: Branches::check(branches, vault_id)?,
            maps: DebtMaps::check(maps, vault_id)?,
            borrow_scale: checked.borrow_scale,
        })
    }
}

fn split<'s, 'a>(accounts: &'s [Account<'a>], count: u8) -> Result<(&'s [Account<'a>], &'s [Account<'a>])> {
    accounts.split_at_checked(count as usize).ok_or_else(|| OPERATE_REMAINING_ACCOUNTS_TOO_SHORT.into())
}

/// Arguments: the collateral and debt to add, in atoms (negative amounts are removed; the minimum of i128 means all),
/// how tokens that leave are paid, and the counts of the remaining accounts. Returns the position's id and the
/// amounts that moved.
pub fn run(accounts: &[Account], args: &[u8]) -> Result {
    let arguments = decoded(Arguments::decode(args))?;
    let (named, rest) = anchor::accounts::<COUNT>(accounts)?;
    let accounts = Accounts::of(named);
    let mut checked = accounts.check()?;
    if arguments.counts.len() != 3 {
        return Err(INVALID_REMAINING_ACCOUNTS_INDICES.into());
    }
    arguments.change.check(&checked.supply_scale, &checked.borrow_scale)?;
    if arguments.change.takes() {
        accounts.check_authority()?;
    }
    let mut change = arguments.change.scaled(&checked.supply_scale, &checked.borrow_scale)?;
    let remaining =
        RemainingAccounts::of(&CountedAccounts { accounts: rest, counts: arguments.counts }, &checked)?;
    let prices = apply(&mut change, &accounts, &mut checked, &remaining)?;
    let moved = change.moved(&checked.supply_scale, &checked.borrow_scale)?;
    if moved.col < 0 {
        let gap = checked.config.terms.withdraw_gap;
        let atoms = moved.col.unsigned_abs();
        safety::check_gap(atoms, gap, prices.liquidity_supply, accounts.supply_position)?;
    }
    transfer(&moved, arguments.claim, &accounts, &checked)?;
    finish(&moved, &accounts, &checked)
}

/// Changes the position and the vault, and checks the result. Returns the present prices.
#[inline(never)]
fn apply(
    change: &mut Change,
    accounts: &Accounts,
    checked: &mut Checked,
    remaining: &RemainingAccounts,
) -> Result<Prices> {
    let vault = &mut checked.vault;
    let mut holding = Holding::of(&checked.position)?;
    if holding.tick != NO_TICK {
        latest::leave(&mut holding, vault, accounts, remaining)?;
    }
    let prices = prices::current(vault, &checked.config, &checked.reserves)?;
    let before = Before { col: holding.col, debt: holding.debt };
    let at = At {
        supply_price: prices.vault_supply as u128,
        borrow_price: prices.vault_borrow as u128,
        borrow_fee: checked.config.terms.borrow_fee as u128,
    };
    change.apply(&mut holding, &at)?;
    if holding.debt > 0 {
        place::move_to_tick(&mut holding, VaultSide { accounts, remaining, vault }, &before, change)?;
        let oracle = Oracle {
            program: accounts.oracle_program,
            account: accounts.oracle,
            nonce: checked.oracle_nonce,
            sources: remaining.sources,
        };
        let limit = Limit::of(change, &checked.config);
        safety::check_tick(holding.tick, &limit, &prices, &oracle)?;
    } else {
        holding.tick = NO_TICK;
    }
    vault.move_supply(before.col, holding.col)?;
    vault.move_borrow(before.debt, sub(holding.debt, holding.dust)?)?;
    vault.store(accounts.vault)?;
    holding.record(&mut checked.position)?;
    checked.position.store(accounts.position)?;
    log_position(&holding, accounts, checked)?;
    Ok(prices)
}

#[inline(never)]
fn log_position(holding: &Holding, accounts: &Accounts, checked: &Checked) -> Result {
    events::user_position(&UserPosition {
        user: accounts.signer.address(),
        id: checked.position.id,
        vault_id: checked.vault.vault_id,
        mint: &checked.position.mint,
        tick: holding.tick,
        col: narrow(checked.supply_scale.down(holding.col)?)?,
        debt: narrow(checked.borrow_scale.down(holding.debt)?)?,
    })
}

/// Transfers incoming tokens first, then outgoing ones.
#[inline(always)]
fn transfer(moved: &Change, claim: bool, accounts: &Accounts, checked: &Checked) -> Result {
    let config = &checked.config;
    let supply = accounts.supply_side(&checked.supply);
    let borrow = accounts.borrow_side(&checked.borrow);
    let (col, debt) = (narrow(moved.col.unsigned_abs())?, narrow(moved.debt.unsigned_abs())?);
    if moved.col > 0 {
        supply.pay_in(config, col, &accounts.supply_payer()?)?;
    }
    if moved.debt < 0 {
        borrow.pay_in(config, debt, &accounts.borrow_payer()?)?;
    }
    if moved.col < 0 {
        supply.pay_out(config, col, &accounts.supply_payee(claim)?)?;
    }
    if moved.debt > 0 {
        borrow.pay_out(config, debt, &accounts.borrow_payee(claim)?)?;
    }
    Ok(())
}

#[inline(always)]
fn finish(moved: &Change, accounts: &Accounts, checked: &Checked) -> Result {
    let id = checked.position.id;
    events::operated(&Operated {
        signer: accounts.signer.address(),
        id,
        col: moved.col,
        debt: moved.debt,
        to: accounts.receiver().address(),
    })?;
    let mut data = [0; 4 + 2 * 16];
    let mut to = Writer::new(&mut data);
    to.u32(id)?;
    to.u128(moved.col as u128)?;
    to.u128(moved.debt as u128)?;
    cpi::set_return_data(&data);
    Ok(())
}
