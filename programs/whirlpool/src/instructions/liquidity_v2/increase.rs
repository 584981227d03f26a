//! The instruction `increase_liquidity_v2`.

use super::{behind, check, deposit};
use crate::change::signed;
use crate::instructions::liquidity::read_args;
use crate::instructions::slices::{self, Hooks};
use sluice_program::anchor::decoded;
use sluice_program::bytes::Reader;
use sluice_program::{Account, Result};

/// Arguments: the liquidity, the maximum of token A and of token B, slices.
pub fn increase(accounts: &[Account], args: &[u8]) -> Result {
    let mut reader = Reader::new(args);
    let args = decoded(read_args(&mut reader))?;
    let slices = decoded(slices::read(&mut reader))?;
    let (context, mut state) = check(accounts, &args, false)?;
    signed(args.liquidity)?;
    slices::check_hooks(slices, behind(accounts), Hooks::Pool)?;
    deposit(&context, &mut state)
}
