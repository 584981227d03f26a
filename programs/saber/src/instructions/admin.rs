//! The instructions of a pool's admin: ramp the amplification, pause, set the fees and their accounts, and hand over.

use super::amplification;
use super::initialize::{MAX_AMPLIFICATION, MIN_AMPLIFICATION};
use crate::checks::{self, take};
use crate::error::{
    ACTIVE_TRANSFER, ADMIN_DEADLINE_EXCEEDED, CALCULATION_FAILURE, INSUFFICIENT_RAMP_TIME, INVALID_ADMIN,
    INVALID_INPUT, INVALID_INSTRUCTION, NO_ACTIVE_TRANSFER, RAMP_LOCKED, UNAUTHORIZED,
};
use crate::fees::Fees;
use crate::state::Pool;
use crate::{APPLY_NEW_ADMIN, COMMIT_NEW_ADMIN, PAUSE, RAMP_A, SET_FEE_ACCOUNT, STOP_RAMP_A, UNPAUSE};
use sluice_program::bytes::Reader;
use sluice_program::math::checked_mul;
use sluice_program::sysvar::Clock;
use sluice_program::{log, Account, Address, ProgramError, Result};

const MIN_RAMP_SECONDS: i64 = 86_400;
/// Three days.
const ADMIN_TRANSFER_DELAY: i64 = 259_200;
/// One ramp may multiply or divide the amplification by this at most.
const MAX_RAMP_FACTOR: u64 = 10;

/// An instruction with its arguments. They are parsed before any account is checked.
enum Act {
    Ramp { target: u64, stop: i64 },
    StopRamp,
    SetPaused(bool),
    SetFeeAccount,
    ApplyNewAdmin,
    CommitNewAdmin,
    SetFees(Fees),
}

impl Act {
    #[inline(always)]
    fn read(tag: u8, args: &mut Reader) -> Result<Self> {
        match tag {
            RAMP_A => {
                let (target, stop) = args.u64().zip(args.i64()).ok_or(INVALID_INSTRUCTION)?;
                Ok(Self::Ramp { target, stop })
            }
            STOP_RAMP_A => Ok(Self::StopRamp),
            PAUSE => Ok(Self::SetPaused(true)),
            UNPAUSE => Ok(Self::SetPaused(false)),
            SET_FEE_ACCOUNT => Ok(Self::SetFeeAccount),
            APPLY_NEW_ADMIN => Ok(Self::ApplyNewAdmin),
            COMMIT_NEW_ADMIN => Ok(Self::CommitNewAdmin),
            _ => Fees::from_args(args).map(Self::SetFees),
        }
    }

    fn name(&self) -> &'static str {
        match self {
            Self::Ramp { .. } => "Instruction: RampA",
            Self::StopRamp => "Instruction: StopRampA",
            Self::SetPaused(true) => "Instruction: Pause",
            Self::SetPaused(false) => "Instruction: Unpause",
            Self::SetFeeAccount => "Instruction: SetFeeAccount",
            Self::ApplyNewAdmin => "Instruction: ApplyNewAdmin",
            Self::CommitNewAdmin => "Instruction: CommitNewAdmin",
            Self::SetFees(_) => "Instruction: SetNewFees",
        }
    }
}

/// Runs the admin's instruction `tag`. Fails with Unauthorized or MissingRequiredSignature unless the pool's admin
/// signs.
pub fn run(tag: u8, accounts: &[Account], mut args: Reader) -> Result {
    let act = Act::read(tag, &mut args)?;
    let &[pool_account, admin] = take::<2>(accounts)?;
    let mut pool = Pool::load(pool_account)?;
    if *admin.address() != pool.admin {
        return Err(UNAUTHORIZED);
    }
    if !admin.is_signer() {
        return Err(ProgramError::MISSING_REQUIRED_SIGNATURE);
    }
    log::text(act.name());
    match act {
        Act::Ramp { target, stop } => begin_ramp(&mut pool, target, stop)?,
        Act::StopRamp => stop_ramp(&mut pool)?,
        Act::SetPaused(paused) => pool.paused = paused,
        Act::SetFeeAccount => set_fee_account(&mut pool, take::<3>(accounts)?[2])?,
        Act::ApplyNewAdmin => apply_new_admin(&mut pool)?,
        Act::CommitNewAdmin => commit_new_admin(&mut pool, take::<3>(accounts)?[2])?,
        Act::SetFees(fees) => pool.fees = fees,
    }
    pool.store(pool_account)
}

/// Sets the account that receives the admin's fees. Its mint tells which of the two tokens it is for.
#[inline(never)]
fn set_fee_account(pool: &mut Pool, account: Account) -> Result {
    let mint = checks::tokens(account)?.mint;
    let side = pool.mints.iter().position(|each| *each == mint).ok_or(INVALID_ADMIN)?;
    pool.admin_fees[side] = *account.address();
    Ok(())
}

/// Announces a new admin. The present admin must confirm the change within three days.
fn commit_new_admin(pool: &mut Pool, new_admin: Account) -> Result {
    let now = Clock::get()?.unix_timestamp;
    if now < pool.future_admin_deadline {
        return Err(ACTIVE_TRANSFER);
    }
    pool.future_admin = *new_admin.address();
    pool.future_admin_deadline = now.checked_add(ADMIN_TRANSFER_DELAY).ok_or(CALCULATION_FAILURE)?;
    Ok(())
}

fn apply_new_admin(pool: &mut Pool) -> Result {
    if pool.future_admin_deadline == 0 {
        return Err(NO_ACTIVE_TRANSFER);
    }
    if Clock::get()?.unix_timestamp > pool.future_admin_deadline {
        return Err(ADMIN_DEADLINE_EXCEEDED);
    }
    pool.admin = pool.future_admin;
    pool.future_admin = Address::ZERO;
    pool.future_admin_deadline = 0;
    Ok(())
}

fn begin_ramp(pool: &mut Pool, target: u64, stop: i64) -> Result {
    if !(MIN_AMPLIFICATION..=MAX_AMPLIFICATION).contains(&target) {
        return Err(INVALID_INPUT);
    }
    let now = Clock::get()?.unix_timestamp;
    let unlocked = pool.amplification.start.checked_add(MIN_RAMP_SECONDS).ok_or(CALCULATION_FAILURE)?;
    if now < unlocked {
        return Err(RAMP_LOCKED);
    }
    if stop < now.checked_add(MIN_RAMP_SECONDS).ok_or(CALCULATION_FAILURE)? {
        return Err(INSUFFICIENT_RAMP_TIME);
    }
    let current = amplification(pool)?;
    let (low, high) = if target < current { (target, current) } else { (current, target) };
    if high > checked_mul(low, MAX_RAMP_FACTOR).ok_or(CALCULATION_FAILURE)? {
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
