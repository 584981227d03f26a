//! The instruction `decrease_liquidity_v2`.

use super::{behind, check, State};
use crate::change::{amounts_of, emit, modify, signed, Moved, DECREASED};
use crate::error::TOKEN_MIN_SUBCEEDED;
use crate::instructions::liquidity::read_args;
use crate::instructions::slices::{self, Hooks};
use crate::token::{fee_of, Payer};
use sluice_program::anchor::decoded;
use sluice_program::bytes::Reader;
use sluice_program::{Account, Result};

const MEMO: &str = "Orca Withdraw";

/// Arguments: the liquidity, the minimum of token A and of token B, slices.
pub fn decrease(accounts: &[Account], args: &[u8]) -> Result {
    let mut reader = Reader::new(args);
    let args = decoded(read_args(&mut reader))?;
    let slices = decoded(slices::read(&mut reader))?;
    let (context, mut state) = check(accounts, &args, true)?;
    let delta = -signed(args.liquidity)?;
    slices::check_hooks(slices, behind(accounts), Hooks::Pool)?;
    let State { pool, position, limits, .. } = &mut state;
    modify(&context.changed, pool, position, delta)?;
    let mut moved = Moved { amounts: amounts_of(pool, position, &args.liquidity, false)?, fees: [0; 2] };
    for (index, side) in context.sides.iter().enumerate() {
        moved.fees[index] = fee_of(side.mint, moved.amounts[index])?;
        if moved.amounts[index] - moved.fees[index] < limits[index] {
            return Err(TOKEN_MIN_SUBCEEDED.into());
        }
    }
    let payer = Payer { pool, account: context.changed.pool };
    for (side, amount) in context.sides.iter().zip(moved.amounts) {
        side.pay_out(&payer, amount, MEMO)?;
    }
    emit(&DECREASED, &context.changed, position, (args.liquidity, moved))
}
