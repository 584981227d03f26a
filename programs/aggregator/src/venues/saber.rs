//! Saber's stable swap. Places 6 and 7 are exchanged, and the token program moves to the end.

use super::{as_given, no_fields, ro, rw, signer, swap_data, Layout, Pass, Tail, Venue};
use sluice_program::address;

pub const SWAP: Venue = Venue {
    program: address!("SSwpkEEcbUqx4vtoEByFjSkhKdCT862DNVb52nZg1UZ"),
    fields: no_fields,
    layout: |_| &Layout { call: CALL, input: 4, output: 6, tail: Tail::Nothing },
    data: |_, amount, data| swap_data(&[1], amount, data),
};

const CALL: &[Pass] = &[as_given(1), ro(2), signer(3), rw(4), rw(5), rw(7), rw(6), rw(8), ro(0)];
