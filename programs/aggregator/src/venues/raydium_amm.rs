//! Raydium's AMM v4: the classic swap over the order book's accounts, and the one without them.

use super::{no_fields, ro, rw, signer, swap_data, Layout, Pass, Tail, Venue};
use sluice_program::{address, Address};

pub const PROGRAM: Address = address!("675kPX9MHTjS2zt1qfr1NYHuzeLXfQM9H24wFSUt1Mp8");

pub const SWAP: Venue = Venue {
    program: PROGRAM,
    fields: no_fields,
    layout: |_| &Layout { call: CLASSIC, input: 14, output: 15, tail: Tail::Nothing },
    data: |_, amount, data| swap_data(&[9], amount, data),
};

pub const SWAP_V2: Venue = Venue {
    program: PROGRAM,
    fields: no_fields,
    layout: |_| &Layout { call: DIRECT, input: 5, output: 6, tail: Tail::Nothing },
    data: |_, amount, data| swap_data(&[16], amount, data),
};

const CLASSIC: &[Pass] = &[
    ro(0),
    rw(1),
    ro(2),
    rw(3),
    rw(4),
    rw(5),
    ro(6),
    rw(7),
    rw(8),
    rw(9),
    rw(10),
    rw(11),
    rw(12),
    ro(13),
    rw(14),
    rw(15),
    signer(16),
];

const DIRECT: &[Pass] = &[ro(0), rw(1), ro(2), rw(3), rw(4), rw(5), rw(6), signer(7)];
