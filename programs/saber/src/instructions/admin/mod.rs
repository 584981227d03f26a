//! The instructions of a pool's admin: ramp the amplification, pause, set the fees and their accounts, and hand over.

mod apply_new_admin;
mod commit_new_admin;
mod ramp_a;
mod set_fee_account;
mod stop_ramp_a;

use apply_new_admin::apply_new_admin;
use commit_new_admin::commit_new_admin;
use ramp_a::begin_ramp;
use set_fee_account::set_fee_account;
use stop_ramp_a::stop_ramp;

use crate::checks::take;
use crate::error::{INVALID_INSTRUCTION, UNAUTHORIZED};
use crate::fees::Fees;
use crate::state::Pool;
use crate::{APPLY_NEW_ADMIN, COMMIT_NEW_ADMIN, PAUSE, RAMP_A, SET_FEE_ACCOUNT, STOP_RAMP_A, UNPAUSE};
use sluice_program::bytes::Reader;
use sluice_program::{log, Account, ProgramError, Result};

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
