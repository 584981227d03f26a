//! The instruction `set_schedules`.

use sluice_program::anchor::{self, decoded};
use sluice_program::bytes::Reader;
use sluice_program::layout::Field;
use sluice_program::{layout, Account, Result};

use crate::config::{Config, Schedule, MAX_SCHEDULES};
use crate::errors::INVALID_SCHEDULE;

/// The operator replaces all schedules. Rounds that are open keep their numbers.
pub fn run(accounts: &[Account], args: &[u8]) -> Result {
    let (accounts, _) = anchor::accounts::<2>(accounts)?;
    let &[operator, config] = accounts;
    let mut state = Config::load(config, operator)?;
    anchor::check_writable(config, "config")?;
    let mut from = Reader::new(args);
    let count = decoded(from.u8())?;
    if count as usize > MAX_SCHEDULES {
        return Err(INVALID_SCHEDULE.into());
    }
    state.count = count;
    for (index, schedule) in state.schedules.iter_mut().enumerate() {
        *schedule = Schedule::default();
        if index < count as usize {
            *schedule = decoded(Schedule::read(&mut from))?;
            schedule.check()?;
        }
    }
    layout::store(&state, config)
}
