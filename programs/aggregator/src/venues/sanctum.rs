//! Sanctum's Infinity pool of liquid staking tokens. The accounts of both tokens' value calculators follow.

use super::{ro, rw, signer, Layout, Pass, Tail, Venue};
use sluice_program::address;

/// The number of accounts of each calculator, u8 each, and the tokens' indices in the pool's list, u32 each.
const FIELDS: usize = 10;

pub const SWAP: Venue = Venue {
    program: address!("5ocnV1qiCgaQR8Jb8xWnVbApfaygJ8tNoZfgPwsgx9kx"),
    fields: |fields| fields.bytes(FIELDS).map(|_| ()),
    layout: |_| &Layout { call: CALL, input: 3, output: 4, tail: Tail::UntilEnd },
    data: |fields, amount, data| {
        data.extend(&[1])?;
        data.extend(fields)?;
        data.extend(&[0; 8])?;
        data.extend(&amount.to_le_bytes())
    },
};

const CALL: &[Pass] =
    &[signer(0), ro(1), ro(2), rw(3), rw(4), rw(5), ro(6), ro(7), rw(8), rw(9), rw(10), rw(11)];
