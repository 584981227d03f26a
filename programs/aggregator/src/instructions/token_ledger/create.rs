//! The instruction `create_token_ledger`.

use super::{DISCRIMINATOR, LEN};
use crate::instructions::fixed;
use crate::keys::PROGRAM;
use sluice_program::bytes::{self, Writer};
use sluice_program::cpi;
use sluice_program::sysvar::Rent;
use sluice_program::{system, Account, Result};

/// Creates an empty ledger at an address that signs. An address that already holds lamports is refused.
pub fn create(accounts: &[Account], _: &[u8]) -> Result {
    let (&[ledger, payer, _system_program], _) = fixed::<3>(accounts)?;
    let mut data = [0; 52];
    let mut writer = Writer::new(&mut data);
    writer.u32(0)?;
    writer.u64(Rent::get()?.minimum_balance(LEN))?;
    writer.u64(LEN as u64)?;
    writer.address(&PROGRAM)?;
    cpi::invoke(&system::PROGRAM, &[payer.writable_signer(), ledger.writable_signer()], &data, &[])?;
    bytes::put(&mut ledger.data_mut()?, 0, &DISCRIMINATOR)
}
