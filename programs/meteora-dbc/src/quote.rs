//! The amounts of a swap, and its changes of the pool.

use crate::curve::{self, End, Start};
use crate::error::{INSUFFICIENT_LIQUIDITY, INVALID_COLLECT_FEE_MODE, MATH_OVERFLOW};
use crate::fees::dynamic::Move;
use crate::fees::{self, Amount, Conditions, Split, Time};
use crate::state::config::{Curve, PoolConfig, OUTPUT_TOKEN, QUOTE_TOKEN};
use crate::state::pool::VirtualPool;
use sluice_program::Result;

/// A pool and its configuration.
pub struct Market {
    pub config: PoolConfig,
    pub curve: Curve,
    pub pool: VirtualPool,
}

/// The terms of a swap, without its amounts.
#[derive(Clone, Copy)]
pub struct Terms {
    /// Whether the base token is bought.
    pub is_purchase: bool,
    pub fees_on_input: bool,
    pub fees_on_base: bool,
    pub has_referral: bool,
    /// Whether the swap pays the lowest base fee and nothing else.
    pub is_at_minimum_fee: bool,
    /// The slot or the second.
    pub point: u64,
}

/// The amounts of a swap.
pub struct Swapped {
    /// The input including the fee if the fee is taken from it. `traded_input` excludes the fee.
    pub input: u64,
    pub traded_input: u64,
    pub left: u64,
    /// The output after the fee.
    pub output: u64,
    pub next_sqrt_price: u128,
    pub split: Split,
}

impl Terms {
    /// Says in which token the fees are taken. Fails with InvalidCollectFeeMode if the mode is unknown.
    pub fn with_fee_mode(self, mode: u8) -> Result<Self> {
        let (fees_on_input, fees_on_base) = match mode {
            QUOTE_TOKEN => (self.is_purchase, false),
            OUTPUT_TOKEN => (false, self.is_purchase),
            _ => return Err(INVALID_COLLECT_FEE_MODE.into()),
        };
        Ok(Self { fees_on_input, fees_on_base, ..self })
    }
}

impl Market {
    /// Computes a swap of an exact input. With `in_part`, only the part for which the curve has room is swapped;
    /// without, the swap fails with InsufficientLiquidity if there is not enough.
    #[inline(never)]
    pub fn from_input(&self, terms: &Terms, amount: u64, in_part: bool) -> Result<Swapped> {
        let conditions = self.conditions(terms);
        let rate = conditions.rate(Amount::WithFee(amount))?;
        let mut fee = if terms.fees_on_input { fees::within(amount, rate)? } else { 0 };
        let mut traded_input = amount.checked_sub(fee).ok_or(MATH_OVERFLOW)?;
        let End { sqrt_price, other, left } = self.walk(terms, traded_input, true)?;
        if left != 0 && !in_part {
            return Err(INSUFFICIENT_LIQUIDITY.into());
        }

        let mut input = amount;
        if left != 0 {
            traded_input = traded_input.checked_sub(left).ok_or(MATH_OVERFLOW)?;
            input = traded_input;
            if terms.fees_on_input {
                input = fees::gross_of(traded_input, conditions.rate(Amount::WithoutFee(traded_input))?)?;
                fee = input.checked_sub(traded_input).ok_or(MATH_OVERFLOW)?;
            }
        }
        let mut output = other;
        if !terms.fees_on_input {
            fee = fees::within(output, rate)?;
            output = output.checked_sub(fee).ok_or(MATH_OVERFLOW)?;
        }
        let split = Split::of(fee, terms.has_referral)?;
        Ok(Swapped { input, traded_input, left, output, next_sqrt_price: sqrt_price, split })
    }

    /// Computes a swap for an exact output. Fails with InsufficientLiquidity if it would lead beyond the price of
    /// migration.
    #[inline(never)]
    pub fn from_output(&self, terms: &Terms, output: u64) -> Result<Swapped> {
        let conditions = self.conditions(terms);
        let mut gross_output = output;
        if !terms.fees_on_input {
            gross_output = fees::gross_of(output, conditions.rate(Amount::WithoutFee(output))?)?;
        }
        let End { sqrt_price, other, .. } = self.walk(terms, gross_output, false)?;
        if sqrt_price > self.config.migration_sqrt_price {
            return Err(INSUFFICIENT_LIQUIDITY.into());
        }
        let traded_input = other;
        let mut input = traded_input;
        if terms.fees_on_input {
            input = fees::gross_of(traded_input, conditions.rate(Amount::WithoutFee(traded_input))?)?;
        }
        let fee = if terms.fees_on_input {
            input.checked_sub(traded_input)
        } else {
            gross_output.checked_sub(output)
        };
        let split = Split::of(fee.ok_or(MATH_OVERFLOW)?, terms.has_referral)?;
        Ok(Swapped { input, traded_input, left: 0, output, next_sqrt_price: sqrt_price, split })
    }

    /// Updates fees, reserves, price and volatility. `now` is the Unix time.
    #[inline(never)]
    pub fn apply(&mut self, terms: &Terms, swapped: &Swapped, now: u64) -> Result {
        let Self { config, pool, .. } = self;
        let Split { trading, protocol, referral } = swapped.split;
        let before = pool.sqrt_price;
        pool.sqrt_price = swapped.next_sqrt_price;

        let creator = fees::share(trading, config.creator_trading_fee_percentage as u64)?;
        let partner = trading.checked_sub(creator).ok_or(MATH_OVERFLOW)?;
        let side = !terms.fees_on_base as usize;
        add(&mut pool.partner_fees[side], partner)?;
        add(&mut pool.protocol_fees[side], protocol)?;
        add(&mut pool.creator_fees[side], creator)?;
        add(&mut pool.total_protocol_fees[side], protocol)?;
        add(&mut pool.total_trading_fees[side], trading)?;

        let mut paid = swapped.output;
        if !terms.fees_on_input {
            for part in [trading, protocol, referral] {
                add(&mut paid, part)?;
            }
        }
        let input_side = terms.is_purchase as usize;
        add(&mut pool.reserves[input_side], swapped.traded_input)?;
        let given = &mut pool.reserves[1 - input_side];
        *given = given.checked_sub(paid).ok_or(MATH_OVERFLOW)?;

        let swap = Move { before, after: pool.sqrt_price, now };
        config.fees.dynamic.after_swap(&mut pool.volatility, &swap)?;
        pool.has_swap = 1;
        Ok(())
    }

    /// Returns whether enough was raised.
    pub fn is_complete(&self) -> bool {
        self.pool.reserves[1] >= self.config.migration_quote_threshold
    }

    fn conditions(&self, terms: &Terms) -> Conditions<'_> {
        let Terms { point, is_purchase, is_at_minimum_fee, .. } = *terms;
        Conditions {
            fees: &self.config.fees,
            volatility: &self.pool.volatility,
            time: Time { point, activation: self.pool.activation_point, is_purchase },
            is_at_minimum: is_at_minimum_fee,
        }
    }

    #[inline(never)]
    fn walk(&self, terms: &Terms, amount: u64, by_input: bool) -> Result<End> {
        let (sqrt_price, is_purchase) = (self.pool.sqrt_price, terms.is_purchase);
        let terms = curve::Terms { config: &self.config, curve: &self.curve };
        curve::walk(&terms, &Start { sqrt_price, amount, by_input, is_purchase })
    }
}

fn add(sum: &mut u64, amount: u64) -> Result {
    *sum = sum.checked_add(amount).ok_or(MATH_OVERFLOW)?;
    Ok(())
}
