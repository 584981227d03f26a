//! The tick arrays of a swap, in the order in which its price reaches them.

use crate::error::{INVALID_TICK_ARRAY_SEQUENCE, TICK_ARRAY_SEQUENCE_INVALID_INDEX};
use crate::keys::{PROGRAM, TICK_ARRAY_SEED};
use crate::math::floor_div;
use crate::math::tick::{MAX_TICK, MIN_TICK};
use crate::state::tick::Tick;
use crate::state::tick_array::{is_start, start_of, StartText, TickArray, SIZE};
use sluice_program::{system, Account, Address, ProgramError, Result};

/// The maximum number of arrays through which a swap may pass.
const MAX_ARRAYS: usize = 3;
/// The arrays of the instruction itself, and the same number of supplemental ones.
pub const MAX_GIVEN: usize = 6;

/// An array on the way of the swap. An array that was never created has no initialized ticks.
struct Stage<'a> {
    start: i32,
    array: Option<TickArray<'a>>,
}

/// The arrays of a swap, in order.
pub struct Sequence<'a> {
    stages: [Option<Stage<'a>>; MAX_ARRAYS],
    len: usize,
    tick_spacing: i32,
    a_to_b: bool,
    /// Whether crossed ticks are written.
    writes: bool,
}

/// The end of a step: a tick and the array that contains it.
#[derive(Clone, Copy)]
pub struct Stop {
    pub stage: usize,
    pub tick: i32,
}

/// The values that determine which arrays a swap needs.
pub struct Plan {
    pub tick: i32,
    pub tick_spacing: u16,
    pub a_to_b: bool,
}

impl<'a> Sequence<'a> {
    /// Selects the arrays that the swap needs from the given accounts, up to the first array that is missing. The
    /// accounts may be in any order and may be repeated. Fails with InvalidTickArraySequence if the first array is
    /// missing.
    #[inline(never)]
    pub fn build(pool: &Address, plan: &Plan, given: &[Account<'a>]) -> Result<Self> {
        let mut loaded: [Option<TickArray>; MAX_GIVEN] = [const { None }; MAX_GIVEN];
        for (index, account) in given.iter().enumerate() {
            let repeated = given[..index].iter().any(|earlier| earlier.is(*account));
            let absent = account.is_owned_by(&system::PROGRAM) && account.data_len() == 0;
            if !repeated && !absent {
                loaded[index] = Some(TickArray::load(*account, pool)?);
            }
        }
        let tick_spacing = plan.tick_spacing as i32;
        let mut sequence = Self {
            stages: [const { None }; MAX_ARRAYS],
            len: 0,
            tick_spacing,
            a_to_b: plan.a_to_b,
            writes: true,
        };
        let step = if plan.a_to_b { -SIZE * tick_spacing } else { SIZE * tick_spacing };
        let mut start = first_start(plan);
        for _ in 0..MAX_ARRAYS {
            if is_start(start, tick_spacing) {
                let array = take(&mut loaded, start);
                if array.is_none() && !is_given(pool, start, given)? {
                    break;
                }
                sequence.stages[sequence.len] = Some(Stage { start, array });
                sequence.len += 1;
            }
            start += step;
        }
        if sequence.len == 0 {
            return Err(INVALID_TICK_ARRAY_SEQUENCE.into());
        }
        Ok(sequence)
    }

    /// Takes the arrays as they are given, to work a swap out without changing anything. One that is repeated is left
    /// out. Fails with InvalidAccountData if an account is none of the pool's arrays.
    #[inline(never)]
    pub fn readonly(pool: &Address, plan: &Plan, given: &[Account<'a>; MAX_ARRAYS]) -> Result<Self> {
        let tick_spacing = plan.tick_spacing as i32;
        let mut sequence = Self {
            stages: [const { None }; MAX_ARRAYS],
            len: 0,
            tick_spacing,
            a_to_b: plan.a_to_b,
            writes: false,
        };
        for (index, account) in given.iter().enumerate() {
            if given[..index].iter().any(|earlier| earlier.is(*account)) {
                continue;
            }
            let array =
                TickArray::load_readonly(*account, pool).map_err(|_| ProgramError::INVALID_ACCOUNT_DATA)?;
            sequence.stages[sequence.len] = Some(Stage { start: array.start, array: Some(array) });
            sequence.len += 1;
        }
        Ok(sequence)
    }

    /// Returns the next tick, from `tick` on, at which the swap has to stop: an initialized tick, or the last tick
    /// that the arrays reach. If the price falls, `tick` itself is included. Fails with TickArraySequenceInvalidIndex
    /// if the swap has left the arrays, and with InvalidTickArraySequence if it is outside of them.
    #[inline(never)]
    pub fn next(&self, tick: i32, stage: usize) -> Result<Stop> {
        let (mut tick, mut stage) = (tick, stage);
        let span = SIZE * self.tick_spacing;
        loop {
            let Some(current) = self.stages.get(stage).and_then(Option::as_ref) else {
                return Err(TICK_ARRAY_SEQUENCE_INVALID_INDEX.into());
            };
            let start = current.start;
            let from = if self.a_to_b { start } else { start - self.tick_spacing };
            if tick < from || tick >= from + span {
                return Err(INVALID_TICK_ARRAY_SEQUENCE.into());
            }
            let slot = floor_div(tick - start, self.tick_spacing) + !self.a_to_b as i32;
            let found = current.array.as_ref().and_then(|array| array.next_initialized(slot, self.a_to_b));
            if let Some(slot) = found {
                return Ok(Stop { stage, tick: start + slot * self.tick_spacing });
            }
            let (last, bound) = if self.a_to_b { (start, MIN_TICK) } else { (start + span - 1, MAX_TICK) };
            let at_bound = if self.a_to_b { start <= MIN_TICK } else { start + span > MAX_TICK };
            if at_bound {
                return Ok(Stop { stage, tick: bound });
            }
            if stage + 1 == self.len {
                return Ok(Stop { stage, tick: last });
            }
            tick = if self.a_to_b { start - 1 } else { last };
            stage += 1;
        }
    }

    /// Returns the tick if it is initialized.
    pub fn tick(&self, stop: Stop) -> Option<Tick> {
        let array = self.stages.get(stop.stage)?.as_ref()?.array.as_ref()?;
        array.initialized_tick(stop.tick, self.tick_spacing)
    }

    /// Writes the tick, unless nothing is to be changed. Fails with TickArraySequenceInvalidIndex if its array does not
    /// exist.
    pub fn set_tick(&mut self, stop: Stop, tick: &Tick) -> Result {
        if !self.writes {
            return Ok(());
        }
        let array = self.stages.get_mut(stop.stage).and_then(|stage| stage.as_mut()?.array.as_mut());
        match array {
            Some(array) => array.set_tick(stop.tick, self.tick_spacing, tick),
            None => Err(TICK_ARRAY_SEQUENCE_INVALID_INDEX.into()),
        }
    }

    /// Returns the array to search after the stop was crossed. It is the next one if the stop was the last tick of
    /// its array.
    pub fn stage_after(&self, stop: Stop) -> usize {
        let Some(current) = self.stages.get(stop.stage).and_then(Option::as_ref) else {
            return stop.stage;
        };
        let slot = floor_div(stop.tick - current.start, self.tick_spacing);
        let last = if self.a_to_b { 0 } else { SIZE - 1 };
        stop.stage + (slot == last) as usize
    }
}

/// If the price rises, the first array is that of the first tick above the current one.
fn first_start(plan: &Plan) -> i32 {
    let tick_spacing = plan.tick_spacing as i32;
    let current = start_of(plan.tick, tick_spacing);
    let span = SIZE * tick_spacing;
    if !plan.a_to_b && plan.tick + tick_spacing >= current + span {
        current + span
    } else {
        current
    }
}

fn take<'a>(loaded: &mut [Option<TickArray<'a>>; MAX_GIVEN], start: i32) -> Option<TickArray<'a>> {
    loaded.iter_mut().find(|each| each.as_ref().is_some_and(|array| array.start == start))?.take()
}

/// Returns whether the accounts contain the address of an array that does not exist.
#[inline(never)]
fn is_given(pool: &Address, start: i32, given: &[Account]) -> Result<bool> {
    let text = StartText::new(start);
    let (expected, _) = Address::find(&[TICK_ARRAY_SEED, &pool.0, text.bytes()], &PROGRAM)?;
    Ok(given.iter().any(|account| *account.address() == expected))
}
