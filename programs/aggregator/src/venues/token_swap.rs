//! SPL token-swap. The token program moves to the end.

use super::{no_fields, ro, rw, signer, swap_data, Layout, Pass, Tail, Venue};
use sluice_program::address;

pub const SWAP: Venue = Venue {
    program: address!("SwaPpA9LAaLfeLi3a68M4DjnLqgtticKg6CnyNwgAC8"),
    fields: no_fields,
    layout: |_| &Layout { call: CALL, input: 4, output: 7, tail: Tail::Nothing },
    data: |_, amount, data| swap_data(&[1], amount, data),
};

const CALL: &[Pass] = &[ro(1), ro(2), signer(3), rw(4), rw(5), rw(6), rw(7), rw(8), rw(9), ro(0)];
