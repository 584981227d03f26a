//! The balances of a plan's indices. Each index stands for a token account, and counts how much of what arrived there
//! is left.
//!
//! Only amounts of the route are counted. What the accounts held before is not touched.

use crate::error::{INVALID_CALCULATION, INVALID_INPUT_INDEX, INVALID_OUTPUT_INDEX, INVALID_ROUTE_PLAN};
use crate::plan::{Step, WHOLE};
use sluice_program::anchor::{REQUIRE_EQ_VIOLATED, REQUIRE_KEYS_EQ_VIOLATED};
use sluice_program::heap::List;
use sluice_program::{math, Account, Result};

#[derive(Clone, Copy)]
struct Holding<'a> {
    /// The account that the first step with this index named.
    account: Option<Account<'a>>,
    received: u64,
    spent: u64,
    /// The sum of the shares that steps took. When it reaches 100 percent, all three numbers start again at zero.
    shares: u64,
}

/// The balances of all indices.
pub struct Holdings<'a> {
    list: List<Holding<'a>>,
}

impl<'a> Holdings<'a> {
    /// Index 0 holds `amount`; its account is `source` if that is known before the first step. There is one further
    /// index per step.
    pub fn new(steps: usize, amount: u64, source: Option<Account<'a>>) -> Result<Self> {
        let count = steps.min(u8::MAX as usize) + 1;
        let mut list = List::with_capacity(count)?;
        list.push(Holding { account: source, received: amount, spent: 0, shares: 0 })?;
        for _ in 1..count {
            list.push(Holding { account: None, received: 0, spent: 0, shares: 0 })?;
        }
        Ok(Self { list })
    }

    /// Returns the input of a step: its share, rounded down, of everything that its input index received. The step
    /// with which the shares reach 100 percent takes everything that is left.
    ///
    /// Fails with InvalidInputIndex, with InvalidRoutePlan if the shares exceed 100 percent, and with
    /// InvalidCalculation if they exceed their type.
    #[inline(always)]
    pub fn input_of(&self, step: &Step) -> Result<u64> {
        let Some(holding) = self.list.get(step.input as usize) else {
            return Err(INVALID_INPUT_INDEX.into());
        };
        let taken = holding.shares + step.share as u64;
        if taken > WHOLE {
            let fits = taken <= u16::MAX as u64;
            return Err(if fits { INVALID_ROUTE_PLAN } else { INVALID_CALCULATION }.into());
        }
        if taken == WHOLE {
            return Ok(holding.received - holding.spent);
        }
        let amount = math::mul_div_floor(holding.received, step.share as u64, WHOLE);
        amount.ok_or_else(|| INVALID_CALCULATION.into())
    }

    /// Records that the step took `amount` from its `input` account and delivered `delivered` to its `output`
    /// account.
    ///
    /// Fails with RequireKeysEqViolated if an index stands for another account, with InvalidOutputIndex, and with
    /// RequireEqViolated if a part of the output index was already spent.
    #[inline(always)]
    pub fn book(
        &mut self,
        step: &Step,
        (input, amount): (Account<'a>, u64),
        (output, delivered): (Account<'a>, u64),
    ) -> Result {
        let list = self.list.as_mut_slice();
        let Some(source) = list.get_mut(step.input as usize) else {
            return Err(INVALID_INPUT_INDEX.into());
        };
        source.bind(input)?;
        source.spend(amount, step.share as u64);
        let Some(destination) = list.get_mut(step.output as usize) else {
            return Err(INVALID_OUTPUT_INDEX.into());
        };
        destination.bind(output)?;
        if destination.shares != 0 {
            return Err(REQUIRE_EQ_VIOLATED.into());
        }
        let received = destination.received.checked_add(delivered);
        destination.received = received.ok_or(INVALID_CALCULATION)?;
        Ok(())
    }

    /// Returns everything that arrived at an index.
    pub fn received(&self, index: u8) -> u64 {
        self.list.get(index as usize).map_or(0, |holding| holding.received)
    }
}

impl<'a> Holding<'a> {
    #[inline(always)]
    fn bind(&mut self, account: Account<'a>) -> Result {
        match self.account {
            Some(known) if !known.is(account) => Err(REQUIRE_KEYS_EQ_VIOLATED.into()),
            _ => {
                self.account = Some(account);
                Ok(())
            }
        }
    }

    #[inline(always)]
    fn spend(&mut self, amount: u64, share: u64) {
        self.spent += amount;
        self.shares += share;
        if self.shares == WHOLE {
            (self.received, self.spent, self.shares) = (0, 0, 0);
        }
    }
}
