//! Rounds of forecasts, whose program sells and buys the tokens of both sides for USDC. The public program of forecasts
//! is not public, so the accounts are those of ours. USDC comes before the tokens of the side, and the direction
//! determines which of the user's two accounts pays.

use super::{flag, one_flag, ro, rw, signer, swap_data, Layout, Pass, Tail, Venue};
use sluice_program::{address, anchor};

const SWAP_NAME: [u8; 8] = anchor::instruction("swap");

/// Fields: whether the step pays USDC for tokens.
pub const SWAP: Venue = Venue {
    program: address!("2sVcg2dBSUzXkmdZ8M5cp1LbnzDrWJmr6hktkHwB8nY3"),
    fields: one_flag,
    layout: |fields| if flag(fields) { &BUY } else { &SELL },
    data: |fields, amount, data| {
        data.extend(&SWAP_NAME)?;
        data.extend(fields)?;
        swap_data(&[], amount, data)
    },
};

const BUY: Layout = Layout { call: CALL, input: 6, output: 7, tail: Tail::Nothing };
const SELL: Layout = Layout { call: CALL, input: 7, output: 6, tail: Tail::Nothing };

const CALL: &[Pass] = &[signer(0), ro(1), rw(2), ro(3), rw(4), rw(5), rw(6), rw(7), ro(8), ro(9)];
