//! How an order ends: what it holds goes to its owner, and the rent to whoever paid it.

use sluice_program::token::{amount_of, CloseAccount, Transfer};
use sluice_program::{anchor, associated_token, layout, system, token, Account, Result};

use crate::accounts::Order;
use crate::checks::{check_order_tokens, check_tokens};
use crate::errors::{INVALID_ORDER, INVALID_OWNER, INVALID_POSITION_OWNER};
use crate::position::{check_position, Position};
use crate::vault::check_mint;

/// The accounts of `cancel_order` and `close_order` from the order on.
pub struct End<'a> {
    owner: Account<'a>,
    order: Account<'a>,
    rent_destination: Account<'a>,
    position: Account<'a>,
    order_tokens: Account<'a>,
    receiver: Account<'a>,
    token_program: Account<'a>,
}

impl<'a> End<'a> {
    /// Reads the order, and checks the accounts against it.
    #[inline(never)]
    pub fn open(owner: Account<'a>, accounts: &[Account<'a>; 9]) -> Result<(Self, Order)> {
        let &[order, rent_destination, position, order_tokens, receiver, mint, programs @ ..] = accounts;
        let [token_program, system_program, associated_program] = programs;
        check_mint(mint)?;
        anchor::check_program(token_program, &[token::PROGRAM], "token_program")?;
        anchor::check_program(system_program, &[system::PROGRAM], "system_program")?;
        anchor::check_program(associated_program, &[associated_token::PROGRAM], "associated_token_program")?;
        anchor::check_writable(order, "order")?;
        anchor::check_writable(rent_destination, "rent_destination")?;
        let state = Order::load(order)?;
        if state.owner != *owner.address() {
            return Err(INVALID_OWNER.of("owner"));
        }
        if state.payer != *rent_destination.address() {
            return Err(INVALID_ORDER.of("rent_destination"));
        }
        check_position(position, &state.position)?;
        check_order_tokens(order_tokens, order.address())?;
        Ok((Self { owner, order, rent_destination, position, order_tokens, receiver, token_program }, state))
    }

    /// Returns what the order holds.
    pub fn holds(&self) -> Result<u64> {
        amount_of(self.order_tokens)
    }

    /// Pays out what the order holds, and closes its accounts. The receiver need not exist if that is nothing.
    #[inline(never)]
    pub fn run(&self, state: &Order) -> Result {
        let amount = self.holds()?;
        if amount > 0 {
            check_tokens(self.receiver, self.owner.address(), "owner_token_account")?;
            let transfer = Transfer {
                program: self.token_program,
                source: self.order_tokens,
                destination: self.receiver,
                authority: self.order,
                amount,
            };
            state.sign(|seeds| transfer.invoke(seeds))?;
        }
        let close = CloseAccount {
            program: self.token_program,
            account: self.order_tokens,
            destination: self.rent_destination,
            authority: self.order,
        };
        state.sign(|seeds| close.invoke(seeds))?;
        self.leave_position()?;
        self.order.close(self.rent_destination)
    }

    #[inline(never)]
    fn leave_position(&self) -> Result {
        let mut position = Position::load(self.position)?;
        if position.owner != *self.owner.address() {
            return Err(INVALID_POSITION_OWNER.of("position"));
        }
        position.end_order()?;
        layout::store(&position, self.position)
    }
}
