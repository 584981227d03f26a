//! The instructions that start, stop and queue rewards.

mod cancel;
mod queue;
mod start;
mod stop;
mod transition;

pub use cancel::cancel;
pub use queue::queue;
pub use start::start;
pub use stop::stop;
pub use transition::transition;

use crate::admin::Admin;
use crate::error::{INVALID_LENDING_PROGRAM, INVALID_PARAMS};
use crate::model::Model;
use sluice_program::anchor::{self, decoded};
use sluice_program::bytes::Reader;
use sluice_program::interest::{LIBRARY_CASTING, YEAR};
use sluice_program::sysvar::Clock;
use sluice_program::{cpi, event, math, Account, Result};

const UPDATE_RATE: [u8; 8] = anchor::instruction("update_rate");
const STARTED: [u8; 8] = anchor::event("LogStartRewards");

/// The accounts of the earn token whose rewards change.
struct Context<'a> {
    lending: Account<'a>,
    mint: Account<'a>,
    receipt_mint: Account<'a>,
    reserve: Account<'a>,
    account: Account<'a>,
    lending_program: Account<'a>,
    model: Model,
    now: u64,
}

impl<'a> Context<'a> {
    /// Checks that the first account is the authority and an auth, and returns the accounts behind it.
    fn by_auth(accounts: &[Account<'a>]) -> Result<Self> {
        let Some((authority, rest)) = accounts.split_first() else {
            return Err(anchor::ACCOUNT_NOT_ENOUGH_KEYS.into());
        };
        anchor::check_signer(*authority, "authority")?;
        let context = Self::load(rest, Some(*authority))?;
        Ok(context)
    }

    #[inline(never)]
    fn load(accounts: &[Account<'a>], authority: Option<Account>) -> Result<Self> {
        let (&[admin, lending, mint, receipt_mint, reserve, account, lending_program], _) =
            anchor::accounts(accounts)?;
        let admin = Admin::load(admin)?;
        let model = Model::load(account)?;
        if let Some(authority) = authority {
            admin.check_auth(authority)?;
        }
        anchor::check_writable(lending, "lending_account")?;
        anchor::check_writable(account, "lending_rewards_rate_model")?;
        if model.mint != *mint.address() {
            return Err(anchor::CONSTRAINT_HAS_ONE.of("lending_rewards_rate_model"));
        }
        if *lending_program.address() != admin.lending_program {
            return Err(INVALID_LENDING_PROGRAM.into());
        }
        let now = u64::try_from(Clock::get()?.unix_timestamp).map_err(|_| LIBRARY_CASTING)?;
        Ok(Self { lending, mint, receipt_mint, reserve, account, lending_program, model, now })
    }

    fn has_ended(&self) -> bool {
        self.now > self.model.end()
    }

    /// Calls the lending program, so that it counts the rewards up to now at the terms that held so far.
    #[inline(never)]
    fn update_rate(&self) -> Result {
        let accounts = [
            self.lending.writable(),
            self.mint.readonly(),
            self.receipt_mint.readonly(),
            self.reserve.readonly(),
            self.account.readonly(),
        ];
        cpi::invoke(self.lending_program.address(), &accounts, &UPDATE_RATE, &[])
    }

    fn log_event(&self, tag: &[u8; 8], numbers: &[u64]) -> Result {
        event::log(tag, |event| {
            for number in numbers {
                event.u64(*number)?;
            }
            event.address(self.mint.address())
        })
    }
}

#[inline(never)]
fn begin(context: &mut Context, amount: u64, duration: u64, start_time: u64) -> Result {
    if context.model.start_time != 0 {
        context.update_rate()?;
    }
    if start_time != 0 && start_time < context.now {
        return Err(INVALID_PARAMS.into());
    }
    let start_time = if start_time == 0 { context.now } else { start_time };
    context.model.start_time = start_time;
    context.model.duration = duration;
    context.model.yearly_reward = yearly(amount, duration)?;
    context.model.store(context.account)?;
    context.log_event(&STARTED, &[amount, duration, start_time])
}

fn yearly(amount: u64, duration: u64) -> Result<u64> {
    math::mul_div_floor(amount, YEAR, duration).ok_or_else(|| LIBRARY_CASTING.into())
}

fn numbers<const N: usize>(args: &[u8]) -> Result<[u64; N]> {
    let mut from = Reader::new(args);
    let mut numbers = [0; N];
    for number in &mut numbers {
        *number = decoded(from.u64())?;
    }
    Ok(numbers)
}
