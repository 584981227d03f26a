//! Stake pools, over a program that wraps their deposits and withdrawals of SOL. The pool's own accounts follow.

use super::{no_fields, ro, rw, signer, Layout, Pass, Tail, Venue};
use sluice_program::heap::List;
use sluice_program::{address, Address, Result};

const PROGRAM: Address = address!("stkitrT1Uoy18Dk1fTrgPw8W6MVzoCfYoAFT4MLsmhq");

/// From wrapped SOL to a stake pool's token.
pub const STAKE: Venue = Venue {
    program: PROGRAM,
    fields: no_fields,
    layout: |_| &Layout { call: STAKE_CALL, input: 1, output: 2, tail: Tail::UntilEnd },
    data: |_, amount, data| tagged(0, amount, data),
};

/// From a stake pool's token to wrapped SOL.
pub const WITHDRAW: Venue = Venue {
    program: PROGRAM,
    fields: no_fields,
    layout: |_| &Layout { call: WITHDRAW_CALL, input: 1, output: 2, tail: Tail::UntilEnd },
    data: |_, amount, data| tagged(8, amount, data),
};

fn tagged(tag: u8, amount: u64, data: &mut List<u8>) -> Result {
    data.extend(&[tag])?;
    data.extend(&amount.to_le_bytes())
}

const STAKE_CALL: &[Pass] = &[signer(0), rw(1), rw(2), rw(3), rw(4), rw(5), rw(6), ro(7), ro(8), ro(9)];

const WITHDRAW_CALL: &[Pass] = &[signer(0), rw(1), rw(2), rw(3), rw(4), ro(5), ro(6)];
