//! Orca's Whirlpools, with both forms of the swap. The accounts are in the pool's order, so the direction determines
//! which of the user's two accounts pays.

use super::{flag, one_flag, ro, rw, signer, slices, swap_data, Layout, Pass, Tail, Venue};
use sluice_program::heap::List;
use sluice_program::{address, anchor, Address, Result};

const PROGRAM: Address = address!("whirLbMiicVdio4qvUfM5KAg6Ct8VwpYzGff3uctyCc");
const SWAP_NAME: [u8; 8] = anchor::instruction("swap");
const SWAP_V2_NAME: [u8; 8] = anchor::instruction("swap_v2");

/// Fields: a_to_b.
pub const SWAP: Venue = Venue {
    program: PROGRAM,
    fields: one_flag,
    layout: |fields| if flag(fields) { &A_TO_B } else { &B_TO_A },
    data: |fields, amount, data| swap_exact_in(&SWAP_NAME, fields, amount, data),
};

/// Fields: a_to_b, then optional slices of the following accounts. They are passed on unchanged.
pub const SWAP_V2: Venue = Venue {
    program: PROGRAM,
    fields: |fields| {
        one_flag(fields)?;
        if fields.bool()? {
            slices::fields(fields)
        } else {
            Some(())
        }
    },
    layout: |fields| if flag(fields) { &A_TO_B_V2 } else { &B_TO_A_V2 },
    data: |fields, amount, data| {
        slices::check(&fields[SLICES.min(fields.len())..])?;
        swap_exact_in(&SWAP_V2_NAME, fields, amount, data)?;
        data.extend(&fields[1..])
    },
};

const A_TO_B: Layout = Layout { call: CALL, input: 3, output: 5, tail: Tail::Nothing };
const B_TO_A: Layout = Layout { call: CALL, input: 5, output: 3, tail: Tail::Nothing };
const A_TO_B_V2: Layout = Layout { call: CALL_V2, input: 7, output: 9, tail: Tail::Slices(SLICES) };
const B_TO_A_V2: Layout = Layout { call: CALL_V2, input: 9, output: 7, tail: Tail::Slices(SLICES) };

/// The offset of the slices, after a_to_b and the byte that tells whether there are any.
const SLICES: usize = 2;

/// Writes the data of a swap with the amount as input and without a price limit.
fn swap_exact_in(name: &[u8], fields: &[u8], amount: u64, data: &mut List<u8>) -> Result {
    swap_data(name, amount, data)?;
    data.extend(&[0; 16])?;
    data.extend(&[1, fields[0]])
}

const CALL: &[Pass] = &[ro(0), signer(1), rw(2), rw(3), rw(4), rw(5), rw(6), rw(7), rw(8), rw(9), ro(10)];

const CALL_V2: &[Pass] = &[
    ro(0),
    ro(1),
    ro(2),
    signer(3),
    rw(4),
    ro(5),
    ro(6),
    rw(7),
    rw(8),
    rw(9),
    rw(10),
    rw(11),
    rw(12),
    rw(13),
    rw(14),
];
