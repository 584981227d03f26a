//! Meteora's DLMM, with both forms of the swap. Bin arrays follow.

use super::{as_given, no_fields, ro, rw, signer, slices, swap_data, Layout, Pass, Tail, Venue};
use sluice_program::{address, anchor, Address};

const PROGRAM: Address = address!("LBUZKhRxPF3XUpBCjp4YzTKgLccjZhTSDM9YuVaPwxo");
const SWAP_NAME: [u8; 8] = anchor::instruction("swap");
const SWAP_V2_NAME: [u8; 8] = anchor::instruction("swap2");

/// The maximum number of bin arrays in the first form. The public program panics if it gets more.
const MAX_BIN_ARRAYS: usize = 3;

pub const SWAP: Venue = Venue {
    program: PROGRAM,
    fields: no_fields,
    layout: |_| &Layout { call: CALL, input: 4, output: 5, tail: Tail::UntilEndAtMost(MAX_BIN_ARRAYS) },
    data: |_, amount, data| swap_data(&SWAP_NAME, amount, data),
};

/// Fields: the slices of the following accounts, which are passed on unchanged.
pub const SWAP_V2: Venue = Venue {
    program: PROGRAM,
    fields: slices::fields,
    layout: |_| &Layout { call: CALL_V2, input: 4, output: 5, tail: Tail::UntilEnd },
    data: |fields, amount, data| {
        slices::check(fields)?;
        swap_data(&SWAP_V2_NAME, amount, data)?;
        data.extend(fields)
    },
};

/// The bitmap extension at place 1 is optional and never written. The host's fee account at place 9 is optional.
const CALL: &[Pass] = &[
    rw(0),
    ro(1),
    rw(2),
    rw(3),
    rw(4),
    rw(5),
    ro(6),
    ro(7),
    rw(8),
    as_given(9),
    signer(10),
    ro(11),
    ro(12),
    ro(13),
    ro(14),
];

/// The same as [`CALL`], with the memo program before the last two.
const CALL_V2: &[Pass] = &[
    rw(0),
    ro(1),
    rw(2),
    rw(3),
    rw(4),
    rw(5),
    ro(6),
    ro(7),
    rw(8),
    as_given(9),
    signer(10),
    ro(11),
    ro(12),
    ro(13),
    ro(14),
    ro(15),
];
