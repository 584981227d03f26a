//! Stabble's stable pools. The second form names the mints and a second token program.

use super::{no_fields, ro, rw, signer, Layout, Pass, Tail, Venue};
use sluice_program::heap::List;
use sluice_program::{address, anchor, Address, Result};

const PROGRAM: Address = address!("swapNyd8XiQwJ6ianp9snpu4brUqFxadzvHebnAXjJZ");
const SWAP_NAME: [u8; 8] = anchor::instruction("swap");
const SWAP_V2_NAME: [u8; 8] = anchor::instruction("swap_v2");

pub const SWAP: Venue = Venue {
    program: PROGRAM,
    fields: no_fields,
    layout: |_| &Layout { call: CALL, input: 1, output: 2, tail: Tail::Nothing },
    data: |_, amount, data| swap_all(&SWAP_NAME, amount, data),
};

pub const SWAP_V2: Venue = Venue {
    program: PROGRAM,
    fields: no_fields,
    layout: |_| &Layout { call: CALL_V2, input: 3, output: 4, tail: Tail::Nothing },
    data: |_, amount, data| swap_all(&SWAP_V2_NAME, amount, data),
};

/// Writes the data of a swap. The amount is optional in the venue's interface, the minimum output is not.
fn swap_all(name: &[u8], amount: u64, data: &mut List<u8>) -> Result {
    data.extend(name)?;
    data.extend(&[1])?;
    data.extend(&amount.to_le_bytes())?;
    data.extend(&[0; 8])
}

const CALL: &[Pass] =
    &[signer(0), rw(1), rw(2), rw(3), rw(4), rw(5), rw(6), ro(7), ro(8), ro(9), ro(10), ro(11)];

const CALL_V2: &[Pass] = &[
    signer(0),
    ro(1),
    ro(2),
    rw(3),
    rw(4),
    rw(5),
    rw(6),
    rw(7),
    rw(8),
    ro(9),
    ro(10),
    ro(11),
    ro(12),
    ro(13),
    ro(14),
];
