//! The instruction `increase_liquidity`.

use super::{check, read_args};
use crate::change::{amounts_of, emit, modify, signed, Moved, INCREASED};
use crate::error::TOKEN_MAX_EXCEEDED;
use sluice_program::anchor::decoded;
use sluice_program::bytes::Reader;
use sluice_program::token::Transfer;
use sluice_program::{Account, Result};

/// Arguments: the liquidity, the maximum of token A and of token B.
pub fn increase(accounts: &[Account], args: &[u8]) -> Result {
    let args = decoded(read_args(&mut Reader::new(args)))?;
    let (context, pool, position) = check(accounts, false)?;
    let (pool, position) = (&mut { pool }, &mut { position });
    let delta = signed(args.liquidity)?;
    modify(&context.changed, pool, position, delta)?;
    let amounts = amounts_of(pool, position, &args.liquidity, true)?;
    if amounts[0] > args.limits[0] || amounts[1] > args.limits[1] {
        return Err(TOKEN_MAX_EXCEEDED.into());
    }
    for (side, amount) in amounts.into_iter().enumerate() {
        let (source, destination) = (context.owners[side], context.vaults[side]);
        let (program, authority) = (context.program, context.authority);
        Transfer { program, source, destination, authority, amount }.invoke(&[])?;
    }
    // Mints of the older token program have no transfer fees.
    emit(&INCREASED, &context.changed, position, (args.liquidity, Moved { amounts, fees: [0; 2] }))
}
