//! Meteora's dynamic bonding curve. The second variant passes on the accounts that follow: curves with a rate limiter
//! need the instructions sysvar there.

use super::{as_given, no_fields, ro, rw, signer, swap_data, Layout, Pass, Tail, Venue};
use sluice_program::{address, anchor, Address};

const PROGRAM: Address = address!("dbcij3LWUppWqq96dh6gJWwBifmcGfLSB5D4DuSMaqN");
const SWAP_NAME: [u8; 8] = anchor::instruction("swap");

pub const SWAP: Venue = Venue {
    program: PROGRAM,
    fields: no_fields,
    layout: |_| &Layout { call: CALL, input: 3, output: 4, tail: Tail::Nothing },
    data: |_, amount, data| swap_data(&SWAP_NAME, amount, data),
};

pub const SWAP_WITH_REMAINING_ACCOUNTS: Venue = Venue {
    program: PROGRAM,
    fields: no_fields,
    layout: |_| &Layout { call: CALL, input: 3, output: 4, tail: Tail::UntilEnd },
    data: |_, amount, data| swap_data(&SWAP_NAME, amount, data),
};

/// The referral account at place 12 is optional.
const CALL: &[Pass] = &[
    ro(0),
    ro(1),
    rw(2),
    rw(3),
    rw(4),
    rw(5),
    rw(6),
    ro(7),
    ro(8),
    signer(9),
    ro(10),
    ro(11),
    as_given(12),
    ro(13),
    ro(14),
];
