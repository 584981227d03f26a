//! The instruction `initialize_tick_array`.

use crate::instructions::{check_system, create_derived};
use crate::keys::TICK_ARRAY_SEED;
use crate::state::pool::Pool;
use crate::state::tick_array::{check_start, StartText, TickArray, FIXED_LEN};
use sluice_program::anchor::{self, decoded};
use sluice_program::bytes::Reader;
use sluice_program::{Account, Result};

/// Argument: the start index.
pub fn initialize(accounts: &[Account], args: &[u8]) -> Result {
    let start = decoded(Reader::new(args).u32())? as i32;
    let (&[pool_account, funder, array, system_program], _) = anchor::accounts(accounts)?;
    let pool = Pool::load(pool_account, "whirlpool")?;
    anchor::check_signer(funder, "funder")?;
    check_system(system_program)?;
    let text = StartText::new(start);
    let seeds = [TICK_ARRAY_SEED, &pool_account.address().0, text.bytes()];
    create_derived(funder, array, FIXED_LEN, &seeds, "tick_array")?;
    anchor::check_writable(funder, "funder")?;
    check_start(start, pool.tick_spacing)?;
    TickArray::encode(&mut array.data_mut()?, start, pool_account.address())
}
