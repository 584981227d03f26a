//! The balances of a plan's indices. Each index stands for a token account, and counts how much of what arrived there
//! is left.
//!
//! Only amounts of the route are counted. What the accounts held before is not touched.

use crate::error::{INVALID_CALCULATION, INVALID_INPUT_INDEX, INVALID_OUTPUT_INDEX, INVALID_ROUTE_PLAN};
use crate::plan::{Step, WHOLE};
use sluice_program::anchor::{REQUIRE_EQ_VIOLATED, REQUIRE_KEYS_EQ_VIOLATED};
use sluice_program::heap::List;
use sluice_program::{math, Account, Result};

/// An amount of which steps take shares.
#[derive(Clone, Copy, Default)]
pub struct Pot {
    pub amount: u64,
    taken: u64,
    /// The sum of the shares that steps took. When it reaches 100 percent, all three numbers start again at zero.
    shares: u64,
}

impl Pot {
    pub const fn new(amount: u64) -> Self {
        Self { amount, taken: 0, shares: 0 }
    }

    /// Returns the share, rounded down, of everything that was in the pot. The share with which the sum reaches 100
    /// percent is everything that is left.
    ///
    /// Fails with InvalidRoutePlan if the shares exceed 100 percent, and with InvalidCalculation if they exceed their
    /// type.
    #[inline(always)]
    pub fn share(&self, share: u16) -> Result<u64> {
        let shares = self.shares + share as u64;
        if shares > WHOLE {
            let fits = shares <= u16::MAX as u64;
            return Err(if fits { INVALID_ROUTE_PLAN } else { INVALID_CALCULATION }.into());
        }
        if shares == WHOLE {
            return Ok(self.amount - self.taken);
        }
        math::mul_div_floor(self.amount, share as u64, WHOLE).ok_or_else(|| INVALID_CALCULATION.into())
    }

    #[inline(always)]
    pub fn take(&mut self, amount: u64, share: u16) {
        self.taken += amount;
        self.shares += share as u64;
        if self.shares == WHOLE {
            *self = Self::default();
        }
    }

    /// Fails with RequireEqViolated if a part of the pot was already taken.
    #[inline(always)]
    pub fn add(&mut self, amount: u64) -> Result {
        if self.shares != 0 {
            return Err(REQUIRE_EQ_VIOLATED.into());
        }
        self.amount = self.amount.checked_add(amount).ok_or(INVALID_CALCULATION)?;
        Ok(())
    }
}

#[derive(Clone, Copy)]
struct Holding<'a> {
    /// The account that the first step with this index named.
    account: Option<Account<'a>>,
    received: Pot,
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
        list.push(Holding { account: source, received: Pot::new(amount) })?;
        for _ in 1..count {
            list.push(Holding { account: None, received: Pot::default() })?;
        }
        Ok(Self { list })
    }

    /// Returns the input of a step: its share, rounded down, of everything that its input index received. The step
    /// with which the shares reach 100 percent takes everything that is left.
    ///
    /// Fails with InvalidInputIndex, and with the errors of [`Pot::share`].
    #[inline(always)]
    pub fn input_of(&self, step: &Step) -> Result<u64> {
        match self.list.get(step.input as usize) {
            Some(holding) => holding.received.share(step.share),
            None => Err(INVALID_INPUT_INDEX.into()),
        }
    }

    /// Records that the step took `amount` from its `input` account and delivered `delivered` to its `output`
    /// account. With None instead of an amount, no share of the input index is used up.
    ///
    /// Fails with RequireKeysEqViolated if an index stands for another account, with InvalidInputIndex, with
    /// InvalidOutputIndex, and with RequireEqViolated if a part of the output index was already spent.
    #[inline(always)]
    pub fn book(
        &mut self,
        step: &Step,
        (input, amount): (Account<'a>, Option<u64>),
        (output, delivered): (Account<'a>, u64),
    ) -> Result {
        let list = self.list.as_mut_slice();
        let Some(source) = list.get_mut(step.input as usize) else {
            return Err(INVALID_INPUT_INDEX.into());
        };
        source.bind(input)?;
        if let Some(amount) = amount {
            source.received.take(amount, step.share);
        }
        let Some(destination) = list.get_mut(step.output as usize) else {
            return Err(INVALID_OUTPUT_INDEX.into());
        };
        destination.bind(output)?;
        destination.received.add(delivered)
    }

    /// Returns everything that arrived at an index.
    pub fn received(&self, index: u8) -> u64 {
        self.list.get(index as usize).map_or(0, |holding| holding.received.amount)
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
}
