//! The instruction `decrease_liquidity`.

use super::{check, read_args};
use crate::change::{amounts_of, emit, modify, signed, Moved, DECREASED};
use crate::error::TOKEN_MIN_SUBCEEDED;
use sluice_program::anchor::decoded;
use sluice_program::bytes::Reader;
use sluice_program::token::Transfer;
use sluice_program::{Account, Result};

/// Arguments: the liquidity, the minimum of token A and of token B.
pub fn decrease(accounts: &[Account], args: &[u8]) -> Result {
    let args = decoded(read_args(&mut Reader::new(args)))?;
    let (context, pool, position) = check(accounts, true)?;
    let (pool, position) = (&mut { pool }, &mut { position });
    let delta = -signed(args.liquidity)?;
    modify(&context.changed, pool, position, delta)?;
    let amounts = amounts_of(pool, position, &args.liquidity, false)?;
    if amounts[0] < args.limits[0] || amounts[1] < args.limits[1] {
        return Err(TOKEN_MIN_SUBCEEDED.into());
    }
    for (side, amount) in amounts.into_iter().enumerate() {
        let (source, destination) = (context.vaults[side], context.owners[side]);
        let (program, authority) = (context.program, context.changed.pool);
        let transfer = Transfer { program, source, destination, authority, amount };
        pool.with_signer(|signers| transfer.invoke(signers))?;
    }
    emit(&DECREASED, &context.changed, position, (args.liquidity, Moved { amounts, fees: [0; 2] }))
}
