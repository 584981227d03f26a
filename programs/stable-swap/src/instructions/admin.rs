//! What the pool's admin may do: move the amplification, and pause.

use super::amplification;
use super::initialize::{LEAST_AMPLIFICATION, MOST_AMPLIFICATION};
use crate::checks::take;
use crate::error::{
    CALCULATION_FAILURE, INSUFFICIENT_RAMP_TIME, INVALID_INPUT, INVALID_INSTRUCTION, RAMP_LOCKED,
    UNAUTHORIZED,
};
use crate::state::Pool;
use crate::{PAUSE, RAMP_A, STOP_RAMP_A};
use sluice_program::bytes::Reader;
use sluice_program::math::checked_mul;
use sluice_program::sysvar::Clock;
use sluice_program::{log, Account, ProgramError, Result};

const SHORTEST_RAMP: i64 = 86_400;
/// One ramp multiplies or divides the amplification by so much at most.
const MOST_CHANGE: u64 = 10;

pub fn run(tag: u8, accounts: &[Account], mut args: Reader) -> Result {
    let ramp = if tag == RAMP_A { Some(ramp_arguments(&mut args).ok_or(INVALID_INSTRUCTION)?) } else { None };
    let &[pool_account, admin] = take::<2>(accounts)?;
    let mut pool = Pool::load(pool_account)?;
    if *admin.address() != pool.admin {
        return Err(UNAUTHORIZED);
    }
    if !admin.is_signer() {
        return Err(ProgramError::MISSING_REQUIRED_SIGNATURE);
    }
    match (ramp, tag) {
        (Some((target, stop)), _) => {
            log::text("Instruction: RampA");
            begin_ramp(&mut pool, target, stop)?;
        }
        (None, STOP_RAMP_A) => {
            log::text("Instruction: StopRampA");
            stop_ramp(&mut pool)?;
        }
        _ => {
            log::text(if tag == PAUSE { "Instruction: Pause" } else { "Instruction: Unpause" });
            pool.paused = tag == PAUSE;
        }
    }
    pool.store(pool_account)
}

/// The target, and the Unix second at which it is reached.
fn ramp_arguments(args: &mut Reader) -> Option<(u64, i64)> {
    Some((args.u64()?, args.i64()?))
}

fn begin_ramp(pool: &mut Pool, target: u64, stop: i64) -> Result {
    if !(LEAST_AMPLIFICATION..=MOST_AMPLIFICATION).contains(&target) {
        return Err(INVALID_INPUT);
    }
    let now = Clock::get()?.unix_timestamp;
    let unlocked = pool.amplification.start.checked_add(SHORTEST_RAMP).ok_or(CALCULATION_FAILURE)?;
    if now < unlocked {
        return Err(RAMP_LOCKED);
    }
    if stop < now.checked_add(SHORTEST_RAMP).ok_or(CALCULATION_FAILURE)? {
        return Err(INSUFFICIENT_RAMP_TIME);
    }
    let current = amplification(pool)?;
    let (low, high) = if target < current { (target, current) } else { (current, target) };
    if high > checked_mul(low, MOST_CHANGE).ok_or(CALCULATION_FAILURE)? {
        return Err(INVALID_INPUT);
    }
    pool.amplification.initial = current;
    pool.amplification.target = target;
    pool.amplification.start = now;
    pool.amplification.stop = stop;
    Ok(())
}

fn stop_ramp(pool: &mut Pool) -> Result {
    let current = amplification(pool)?;
    let now = Clock::get()?.unix_timestamp;
    pool.amplification.initial = current;
    pool.amplification.target = current;
    pool.amplification.start = now;
    pool.amplification.stop = now;
    Ok(())
}
