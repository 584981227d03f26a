//! Raydium's constant-product pools.

use super::{no_fields, ro, rw, signer, swap_data, Layout, Pass, Tail, Venue};
use sluice_program::{address, anchor};

pub const SWAP: Venue = Venue {
    program: address!("CPMMoo8L3F4NbTegBCKVNunggL7H1ZpdTHKxQB5qKP1C"),
    fields: no_fields,
    layout: |_| &Layout { call: CALL, input: 4, output: 5, tail: Tail::Nothing },
    data: |_, amount, data| swap_data(&SWAP_BASE_INPUT, amount, data),
};

const SWAP_BASE_INPUT: [u8; 8] = anchor::instruction("swap_base_input");

const CALL: &[Pass] =
    &[signer(0), ro(1), ro(2), rw(3), rw(4), rw(5), rw(6), rw(7), ro(8), ro(9), ro(10), ro(11), rw(12)];
