//! The instruction `initialize_dynamic_tick_array`.

use crate::instructions::{check_system, create_derived};
use crate::keys::{PROGRAM, TICK_ARRAY_SEED};
use crate::state::pool::Pool;
use crate::state::tick_array::{check_start, StartText, TickArray, DYNAMIC_MIN_LEN};
use sluice_program::anchor::{self, decoded};
use sluice_program::bytes::Reader;
use sluice_program::{system, Account, Address, Result};

/// Arguments: the start index, and whether an existing array of either form is accepted.
pub fn initialize_dynamic(accounts: &[Account], args: &[u8]) -> Result {
    let mut reader = Reader::new(args);
    let (start, idempotent) = (decoded(reader.u32())? as i32, decoded(reader.bool())?);
    let (&[pool_account, funder, array, system_program], _) = anchor::accounts(accounts)?;
    let pool = Pool::load(pool_account, "whirlpool")?;
    anchor::check_signer(funder, "funder")?;
    check_system(system_program)?;
    anchor::check_writable(funder, "funder")?;
    let text = StartText::new(start);
    let seeds = [TICK_ARRAY_SEED, &pool_account.address().0, text.bytes()];
    let (expected, _) = Address::find(&seeds, &PROGRAM)?;
    if *array.address() != expected {
        return Err(anchor::CONSTRAINT_SEEDS.of("tick_array"));
    }
    anchor::check_writable(array, "tick_array")?;
    if array.is_owned_by(&system::PROGRAM) {
        create_derived(funder, array, DYNAMIC_MIN_LEN, &seeds, "tick_array")?;
        check_start(start, pool.tick_spacing)?;
        return TickArray::encode_dynamic(&mut array.data_mut()?, start, pool_account.address());
    }
    if !array.is_owned_by(&PROGRAM) {
        return Err(anchor::ACCOUNT_OWNED_BY_WRONG_PROGRAM.into());
    }
    if !idempotent {
        return Err(anchor::ACCOUNT_DISCRIMINATOR_ALREADY_SET.into());
    }
    TickArray::load(array, pool_account.address()).map(|_| ())
}
