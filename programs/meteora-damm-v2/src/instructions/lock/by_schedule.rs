//! The instructions `lock_position` and `lock_inner_position`.

use super::{check_permission, Checked, Context};
use crate::activation::Points;
use crate::error::{INVALID_VESTING_ACCOUNT, INVALID_VESTING_INFO, MATH_OVERFLOW, TRYING_TO_INIT_PAYER};
use crate::events;
use crate::instructions::parameters::require;
use crate::instructions::pool::read_point;
use crate::keys::PROGRAM;
use crate::state::vesting::{self, Schedule, Vesting};
use sluice_program::anchor::{self, decoded};
use sluice_program::bytes::Reader;
use sluice_program::math::checked_mul;
use sluice_program::{system, Account, Address, Result};

const EVENT: [u8; 8] = anchor::event("EvtLockPosition");
/// The maximum number of hours until everything is unlocked: ten years.
const MAX_HOURS: u64 = 24 * 365 * 10;

/// The schedule. Without a point of the cliff, the first period begins now.
struct Args {
    cliff_point: Option<u64>,
    frequency: u64,
    cliff_liquidity: u128,
    per_period: u128,
    periods: u16,
}

fn read_args(reader: &mut Reader) -> Option<Args> {
    Some(Args {
        cliff_point: read_point(reader)?,
        frequency: reader.u64()?,
        cliff_liquidity: reader.u128()?,
        per_period: reader.u128()?,
        periods: reader.u16()?,
    })
}

/// Arguments: the schedule, which is stored in a new account. A position can have many.
pub fn in_account(accounts: &[Account], args: &[u8]) -> Result {
    let args = decoded(read_args(&mut Reader::new(args)))?;
    let (&[pool, position, account, holding, signer, payer, ref rest @ ..], _) =
        anchor::accounts::<9>(accounts)?;
    let &[system_program, event_authority, _] = rest;
    let context = Context { pool, position, holding, signer, event_authority };
    let mut checked = context.check()?;
    anchor::check_signer(payer, "payer")?;
    anchor::check_writable(payer, "payer")?;
    anchor::check_signer(account, "vesting")?;
    anchor::check_writable(account, "vesting")?;
    anchor::check_program(system_program, &[system::PROGRAM], "system_program")?;
    if account.is(payer) {
        return Err(TRYING_TO_INIT_PAYER.of("vesting"));
    }
    system::Create { payer, account, space: vesting::LEN, owner: &PROGRAM }.invoke(&[])?;
    check_permission(&checked, signer)?;
    let points = Points::of(checked.pool.activation_type)?;
    let schedule = args.schedule(&points)?;
    Vesting { position: *position.address(), schedule }.initialize(account)?;
    checked.position.unlock(points.now)?;
    lock(&context, &mut checked, &schedule, account.address())
}

/// Arguments: the schedule, which is stored in the position. The position must have no other one there.
pub fn in_position(accounts: &[Account], args: &[u8]) -> Result {
    let args = decoded(read_args(&mut Reader::new(args)))?;
    let (&[pool, position, holding, signer, event_authority, _], _) = anchor::accounts::<6>(accounts)?;
    let context = Context { pool, position, holding, signer, event_authority };
    let mut checked = context.check()?;
    let points = Points::of(checked.pool.activation_type)?;
    checked.position.unlock(points.now)?;
    require(checked.position.vesting == Schedule::NONE, INVALID_VESTING_ACCOUNT)?;
    check_permission(&checked, signer)?;
    let schedule = args.schedule(&points)?;
    checked.position.vesting = schedule;
    lock(&context, &mut checked, &schedule, position.address())
}

impl Args {
    /// Checks the schedule. Fails with InvalidVestingInfo if it locks nothing, begins in the past, or lasts too long.
    #[inline(never)]
    fn schedule(&self, points: &Points) -> Result<Schedule> {
        let Args { frequency, cliff_liquidity, per_period, periods, .. } = *self;
        let cliff_point = self.cliff_point.unwrap_or(points.now);
        let until_cliff = cliff_point.checked_sub(points.now).ok_or(INVALID_VESTING_INFO)?;
        require(until_cliff > 0 || periods > 0, INVALID_VESTING_INFO)?;
        require(periods == 0 || frequency > 0 && per_period > 0, INVALID_VESTING_INFO)?;
        let stepping = checked_mul(frequency, periods as u64).ok_or(MATH_OVERFLOW)?;
        let lasting = until_cliff.checked_add(stepping).ok_or(MATH_OVERFLOW)?;
        let longest = checked_mul(points.hour, MAX_HOURS).ok_or(MATH_OVERFLOW)?;
        require(lasting <= longest, INVALID_VESTING_INFO)?;
        let schedule = Schedule { cliff_point, frequency, cliff_liquidity, per_period, released: 0, periods };
        require(schedule.total()? > 0, INVALID_VESTING_INFO)?;
        Ok(schedule)
    }
}

#[inline(never)]
fn lock(context: &Context, checked: &mut Checked, schedule: &Schedule, stored_in: &Address) -> Result {
    checked.position.lock(schedule.total()?)?;
    checked.position.save(context.position)?;
    events::emit(context.event_authority, &EVENT, |event| {
        event.address(context.pool.address())?;
        event.address(context.position.address())?;
        event.address(&checked.held.owner)?;
        event.address(stored_in)?;
        event.u64(schedule.cliff_point)?;
        event.u64(schedule.frequency)?;
        event.u128(schedule.cliff_liquidity)?;
        event.u128(schedule.per_period)?;
        event.u16(schedule.periods)
    })
}
