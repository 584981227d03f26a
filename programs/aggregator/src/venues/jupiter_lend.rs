//! The lending program, which turns a token into its interest-bearing form and back.

use super::{no_fields, ro, rw, rw_signer, Layout, Pass, Tail, Venue};
use sluice_program::heap::List;
use sluice_program::{address, anchor, Address, Result};

const PROGRAM: Address = address!("jup3YeL8QhtSx1e253b2FDvsMNC87fDrgQZivbrndc9");
const DEPOSIT_NAME: [u8; 8] = anchor::instruction("deposit");
const REDEEM_NAME: [u8; 8] = anchor::instruction("redeem");

pub const DEPOSIT: Venue = Venue {
    program: PROGRAM,
    fields: no_fields,
    layout: |_| &Layout { call: DEPOSIT_CALL, input: 1, output: 2, tail: Tail::Nothing },
    data: |_, amount, data| named(&DEPOSIT_NAME, amount, data),
};

pub const REDEEM: Venue = Venue {
    program: PROGRAM,
    fields: no_fields,
    layout: |_| &Layout { call: REDEEM_CALL, input: 1, output: 2, tail: Tail::Nothing },
    data: |_, amount, data| named(&REDEEM_NAME, amount, data),
};

fn named(name: &[u8], amount: u64, data: &mut List<u8>) -> Result {
    data.extend(name)?;
    data.extend(&amount.to_le_bytes())
}

const DEPOSIT_CALL: &[Pass] = &[
    rw_signer(0),
    rw(1),
    rw(2),
    ro(3),
    ro(4),
    rw(5),
    rw(6),
    rw(7),
    rw(8),
    ro(9),
    rw(10),
    rw(11),
    rw(12),
    ro(13),
    ro(14),
    ro(15),
    ro(16),
];

const REDEEM_CALL: &[Pass] = &[
    rw_signer(0),
    rw(1),
    rw(2),
    ro(3),
    rw(4),
    ro(5),
    rw(6),
    rw(7),
    rw(8),
    ro(9),
    rw(10),
    rw(11),
    rw(12),
    rw(13),
    ro(14),
    ro(15),
    ro(16),
    ro(17),
];
