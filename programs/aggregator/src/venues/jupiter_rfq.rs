//! The order of a market maker, filled by the RFQ program. The maker signs the transaction too.

use super::{flag, one_flag, ro, rw, signer, Layout, Pass, Tail, Venue};
use sluice_program::bytes::Reader;
use sluice_program::{address, anchor, ProgramError};

const FILL_EXACT_IN: [u8; 8] = anchor::instruction("fill_exact_in");

/// Fields: the taker's side (Ask sells base), then the fill's parameters as prefixed bytes. The parameters are passed
/// on without decoding, after the side and the amount.
pub const FILL: Venue = Venue {
    program: address!("fd3nMFYTQjX1yr5ER8u7tPdHJB7qt8RpDpNtLQX2Br5"),
    fields: |fields| {
        one_flag(fields)?;
        fields.prefixed().map(|_| ())
    },
    layout: |fields| if flag(fields) { &ASK } else { &BID },
    data: |fields, amount, data| {
        let parameters =
            Reader::new(&fields[1..]).prefixed().ok_or(ProgramError::INVALID_INSTRUCTION_DATA)?;
        data.extend(&FILL_EXACT_IN)?;
        data.extend(&fields[..1])?;
        data.extend(&amount.to_le_bytes())?;
        data.extend(parameters)
    },
};

const ASK: Layout = Layout { call: CALL, input: 2, output: 3, tail: Tail::Nothing };
const BID: Layout = Layout { call: CALL, input: 3, output: 2, tail: Tail::Nothing };

const CALL: &[Pass] = &[signer(0), signer(1), rw(2), rw(3), rw(4), rw(5), ro(6), ro(7), ro(8), ro(9), ro(10)];
