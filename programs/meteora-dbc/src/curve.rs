//! The way of a swap along the curve. The curve has parts of constant liquidity, each of which ends at a root price;
//! the first one begins at the start price.

use crate::error::{convert, AMOUNT_LEFT_IS_NOT_ZERO, INSUFFICIENT_LIQUIDITY, MATH_OVERFLOW};
use crate::state::config::{Curve, Point, PoolConfig};
use sluice_meteora::math::amount::Stretch;
use sluice_meteora::math::price::PriceState;
use sluice_meteora::math::Rounding;
use sluice_program::math::narrow;
use sluice_program::wide::U256;
use sluice_program::Result;

/// The curve of a configuration, with its other terms.
pub struct Terms<'a> {
    pub config: &'a PoolConfig,
    pub curve: &'a Curve,
}

/// Where a swap begins, and what it gives or wants.
pub struct Start {
    pub sqrt_price: u128,
    /// The input, or the output if `by_input` is false.
    pub amount: u64,
    pub by_input: bool,
    /// Whether the base token is bought.
    pub is_purchase: bool,
}

/// Where a swap ends.
pub struct End {
    pub sqrt_price: u128,
    /// The amount of the other token: the output, or the input that the output costs.
    pub other: u64,
    /// The part of the input for which the curve has no room.
    pub left: u64,
}

/// Computes the way of a swap. A purchase by its input ends at the price of migration. A swap by its output fails
/// with AmountLeftIsNotZero (a purchase) or InsufficientLiquidity (a sale) if the curve does not hold the output.
#[inline(always)]
pub fn walk(terms: &Terms, start: &Start) -> Result<End> {
    let Start { sqrt_price, amount, by_input, is_purchase } = *start;
    let mut way = Way { sqrt_price, left: amount, other: 0, by_input, is_purchase, goal: 0, liquidity: 0 };
    if is_purchase {
        way.rise(terms)?;
    } else {
        way.fall(terms)?;
    }
    Ok(End { sqrt_price: way.sqrt_price, other: way.other, left: way.left })
}

/// The state of a walk. The part that it is in has a price to which it leads.
struct Way {
    sqrt_price: u128,
    left: u64,
    other: u64,
    by_input: bool,
    is_purchase: bool,
    goal: u128,
    liquidity: u128,
}

impl Way {
    fn rise(&mut self, Terms { config, curve }: &Terms) -> Result {
        let end = if self.by_input { config.migration_sqrt_price } else { u128::MAX };
        for part in curve.iter() {
            if is_empty(part) {
                break;
            }
            self.goal = part.sqrt_price.min(end);
            self.liquidity = part.liquidity;
            if self.goal > self.sqrt_price && (!self.approach()? || self.goal == end) {
                break;
            }
        }
        if !self.by_input && self.left != 0 {
            return Err(AMOUNT_LEFT_IS_NOT_ZERO.into());
        }
        Ok(())
    }

    fn fall(&mut self, Terms { config, curve }: &Terms) -> Result {
        for pair in curve.windows(2).rev() {
            let [below, part] = pair else { break };
            if is_empty(below) || below.sqrt_price >= self.sqrt_price {
                continue;
            }
            self.goal = below.sqrt_price;
            self.liquidity = part.liquidity;
            if !self.approach()? {
                break;
            }
        }
        if self.left == 0 {
            return Ok(());
        }
        self.goal = config.sqrt_start_price;
        self.liquidity = curve[0].liquidity;
        if self.by_input {
            self.sell_down_to_start()
        } else {
            self.take_down_to_start()
        }
    }

    /// Goes to the goal, or as far as the amount suffices. Returns whether the goal was reached.
    #[inline(never)]
    fn approach(&mut self) -> Result<bool> {
        let whole = self.given_amount()?;
        let is_reached = U256::from_u128(self.left as u128) >= whole;
        if !is_reached {
            let next = self.price_after()?;
            self.left = 0;
            self.go(next)?;
            return Ok(false);
        }
        let whole = whole.narrow().and_then(narrow).ok_or(MATH_OVERFLOW)?;
        self.left = self.left.checked_sub(whole).ok_or(MATH_OVERFLOW)?;
        self.go(self.goal)?;
        Ok(true)
    }

    /// Goes down the first part of the curve. What would lead below the start is left.
    #[inline(never)]
    fn sell_down_to_start(&mut self) -> Result {
        let next = self.price_after()?;
        if next >= self.goal {
            self.left = 0;
            return self.go(next);
        }
        let sold = self.given_amount()?.narrow().and_then(narrow).ok_or(MATH_OVERFLOW)?;
        self.left = self.left.checked_sub(sold).ok_or(MATH_OVERFLOW)?;
        self.go(self.goal)
    }

    /// Goes down the first part of the curve, which must hold the rest of the output.
    #[inline(never)]
    fn take_down_to_start(&mut self) -> Result {
        if U256::from_u128(self.left as u128) > self.given_amount()? {
            return Err(INSUFFICIENT_LIQUIDITY.into());
        }
        let next = self.price_after()?;
        if next < self.goal {
            return Err(INSUFFICIENT_LIQUIDITY.into());
        }
        self.left = 0;
        self.go(next)
    }

    /// Moves the price, and adds what the move is worth in the other token.
    #[inline(never)]
    fn go(&mut self, to: u128) -> Result {
        let rounding = if self.by_input { Rounding::Down } else { Rounding::Up };
        let stretch = self.stretch(to);
        let other =
            if self.is_given_in_base() { stretch.token_b(rounding)? } else { stretch.token_a(rounding)? };
        self.other = self.other.checked_add(other).ok_or(MATH_OVERFLOW)?;
        self.sqrt_price = to;
        Ok(())
    }

    /// Returns the amount of the given token between the present price and the goal.
    #[inline(never)]
    fn given_amount(&self) -> Result<U256> {
        let rounding = if self.by_input { Rounding::Up } else { Rounding::Down };
        let stretch = self.stretch(self.goal);
        if self.is_given_in_base() {
            stretch.all_of_token_a(rounding)
        } else {
            stretch.all_of_token_b(rounding)
        }
    }

    #[inline(never)]
    fn price_after(&self) -> Result<u128> {
        let state = PriceState { sqrt_price: self.sqrt_price, liquidity: self.liquidity };
        if self.is_given_in_base() {
            state.after_token_a(self.left, self.by_input).map_err(convert)
        } else {
            state.after_token_b(self.left, self.by_input).map_err(convert)
        }
    }

    #[inline(always)]
    fn stretch(&self, to: u128) -> Stretch {
        let (lower, upper) =
            if self.is_purchase { (self.sqrt_price, to) } else { (to, self.sqrt_price) };
        Stretch { lower, upper, liquidity: self.liquidity }
    }

    /// Returns whether the amount of the start is one of the base token.
    fn is_given_in_base(&self) -> bool {
        self.is_purchase != self.by_input
    }
}

fn is_empty(part: &Point) -> bool {
    part.sqrt_price == 0 || part.liquidity == 0
}
