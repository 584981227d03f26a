//! Meteora's DAMM v2. The second variant passes on the accounts that follow: pools with a rate limiter need the
//! instructions sysvar there.

use super::{as_given, no_fields, ro, rw, signer, swap_data, Layout, Pass, Tail, Venue};
use sluice_program::{address, anchor, Address};

const PROGRAM: Address = address!("cpamdpZCGKUy5JxQXB4dcpGPiikHawvSWAd6mEn1sGG");
const SWAP_NAME: [u8; 8] = anchor::instruction("swap");

pub const SWAP: Venue = Venue {
    program: PROGRAM,
    fields: no_fields,
    layout: |_| &Layout { call: CALL, input: 2, output: 3, tail: Tail::Nothing },
    data: |_, amount, data| swap_data(&SWAP_NAME, amount, data),
};

pub const SWAP_WITH_REMAINING_ACCOUNTS: Venue = Venue {
    program: PROGRAM,
    fields: no_fields,
    layout: |_| &Layout { call: CALL, input: 2, output: 3, tail: Tail::UntilEnd },
    data: |_, amount, data| swap_data(&SWAP_NAME, amount, data),
};

/// The referral account at place 11 is optional.
const CALL: &[Pass] = &[
    ro(0),
    rw(1),
    rw(2),
    rw(3),
    rw(4),
    rw(5),
    ro(6),
    ro(7),
    signer(8),
    ro(9),
    ro(10),
    as_given(11),
    ro(12),
    ro(13),
];
