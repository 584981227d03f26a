//! The instruction `update_fee`.

use sluice_program::anchor::{self, decoded};
use sluice_program::bytes::Reader;
use sluice_program::{layout, Account, Result};

use crate::checks::check_system_program;
use crate::errors::FEE_BPS_TOO_HIGH;
use crate::state::{Fee, FEE};

/// No fee is higher, in basis points.
pub const MAX_FEE_BPS: u16 = 1_000;

/// Arguments: the normal rate and the one for stable pairs. Orders that exist keep theirs.
pub fn run(accounts: &[Account], args: &[u8]) -> Result {
    let (&[admin, fee, system_program], _) = anchor::accounts::<3>(accounts)?;
    let mut from = Reader::new(args);
    let (normal, stable) = decoded(from.u16().zip(from.u16()))?;
    anchor::check_signer(admin, "admin")?;
    anchor::check_writable(fee, "fee_authority")?;
    check_system_program(system_program)?;
    if *fee.address() != FEE {
        return Err(anchor::CONSTRAINT_SEEDS.of("fee_authority"));
    }
    // The account is of the genesis. If this instruction could make it, whoever came first would be the
    // admin.
    let mut state = Fee::load(fee, "fee_authority")?;
    state.check_admin(admin)?;
    if normal > MAX_FEE_BPS || stable > MAX_FEE_BPS {
        return Err(FEE_BPS_TOO_HIGH.into());
    }
    state.normal_fee_bps = normal;
    state.stable_fee_bps = stable;
    layout::store(&state, fee)
}
