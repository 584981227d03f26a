//! Raydium's concentrated liquidity, with both forms of its swap. Tick arrays follow.

use super::{no_fields, ro, rw, signer, swap_data, Layout, Pass, Tail, Venue};
use sluice_program::heap::List;
use sluice_program::{address, anchor, Address, Result};

pub const PROGRAM: Address = address!("CAMMCzo5YL8w4VFF8KVHrK22GGUsp5VTaW7grrKgrWqK");
const SWAP_NAME: [u8; 8] = anchor::instruction("swap");
const SWAP_V2_NAME: [u8; 8] = anchor::instruction("swap_v2");

/// The first tick array has a place of its own.
pub const SWAP: Venue = Venue {
    program: PROGRAM,
    fields: no_fields,
    layout: |_| &Layout { call: CALL, input: 3, output: 4, tail: Tail::UntilEnd },
    data: |_, amount, data| swap_exact_in(&SWAP_NAME, amount, data),
};

pub const SWAP_V2: Venue = Venue {
    program: PROGRAM,
    fields: no_fields,
    layout: |_| &Layout { call: CALL_V2, input: 3, output: 4, tail: Tail::UntilEnd },
    data: |_, amount, data| swap_exact_in(&SWAP_V2_NAME, amount, data),
};

/// Writes the data of a swap with the amount as input and without a price limit.
fn swap_exact_in(name: &[u8], amount: u64, data: &mut List<u8>) -> Result {
    swap_data(name, amount, data)?;
    data.extend(&[0; 16])?;
    data.extend(&[1])
}

const CALL: &[Pass] = &[signer(0), ro(1), rw(2), rw(3), rw(4), rw(5), rw(6), rw(7), ro(8), rw(9)];

const CALL_V2: &[Pass] =
    &[signer(0), ro(1), rw(2), rw(3), rw(4), rw(5), rw(6), rw(7), ro(8), ro(9), ro(10), ro(11), ro(12)];
