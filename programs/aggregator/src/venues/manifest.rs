//! The order books of Manifest. The accounts are base before quote, so the side determines which of the user's two
//! accounts pays.

use super::{flag, one_flag, ro, rw, rw_signer, signer, swap_data, Layout, Pass, Tail, Venue};
use sluice_program::address;

/// Fields: the taker's side. Ask sells base.
pub const SWAP: Venue = Venue {
    program: address!("MNFSTqtC93rEfYHB6hF82sKdZpUDFWkViLByLd1k1Ms"),
    fields: one_flag,
    layout: |fields| if flag(fields) { &ASK } else { &BID },
    data: |fields, amount, data| {
        swap_data(&[13], amount, data)?;
        data.extend(&[fields[0], 1])
    },
};

const ASK: Layout = Layout { call: CALL, input: 4, output: 5, tail: Tail::Nothing };
const BID: Layout = Layout { call: CALL, input: 5, output: 4, tail: Tail::Nothing };

const CALL: &[Pass] = &[
    rw_signer(0),
    signer(1),
    rw(2),
    ro(3),
    rw(4),
    rw(5),
    rw(6),
    rw(7),
    ro(8),
    ro(9),
    ro(10),
    ro(11),
    rw(12),
    rw(13),
];
