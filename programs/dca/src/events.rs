//! The events. The program emits them by calls to itself.

use sluice_program::bytes::Writer;
use sluice_program::{anchor, event, Account, Address, ProgramError, Result};

use crate::keys::{EVENT_AUTHORITY, EVENT_AUTHORITY_BUMP, PROGRAM};
use crate::state::Dca;

const COLLECTED_FEE: [u8; 8] = anchor::event("CollectedFee");
const FILLED: [u8; 8] = anchor::event("Filled");
const OPENED: [u8; 8] = anchor::event("Opened");
const CLOSED: [u8; 8] = anchor::event("Closed");
const WITHDRAW: [u8; 8] = anchor::event("Withdraw");
const DEPOSIT: [u8; 8] = anchor::event("Deposit");

/// The longest event is that of a closed order.
const ROOM: usize = 8 + 8 + 4 * 32 + 7 * 8 + 1;

/// The last two accounts of the instructions that emit events.
#[derive(Clone, Copy)]
pub struct Emitter<'a> {
    authority: Account<'a>,
}

impl<'a> Emitter<'a> {
    /// Checks the accounts. Fails with ConstraintSeeds or ConstraintAddress.
    pub fn new(authority: Account<'a>, program: Account<'a>) -> Result<Self> {
        if *authority.address() != EVENT_AUTHORITY {
            return Err(anchor::CONSTRAINT_SEEDS.of("event_authority"));
        }
        anchor::check_address(program, &PROGRAM, "program")?;
        Ok(Self { authority })
    }

    /// Emits that an order was opened.
    #[inline(never)]
    pub fn opened(&self, address: &Address, order: &Dca) -> Result {
        self.emit(&OPENED, |event| {
            event.address(&order.user)?;
            event.address(address)?;
            write_terms(event, order)
        })
    }

    /// Emits that an order was closed, by its user or because it was finished. `unfilled` is the rest of its input, which
    /// the totals of the order count as withdrawn.
    #[inline(never)]
    pub fn closed(&self, address: &Address, order: &Dca, unfilled: u64, user_closed: bool) -> Result {
        self.emit(&CLOSED, |event| {
            event.address(&order.user)?;
            event.address(address)?;
            write_terms(event, order)?;
            event.u64(order.in_withdrawn)?;
            event.u64(order.out_withdrawn)?;
            event.u64(unfilled)?;
            event.u8(user_closed as u8)
        })
    }

    /// Emits that a cycle was filled. `paid` is what the order received of `used` atoms of its input, without the fee.
    #[inline(never)]
    pub fn filled(&self, address: &Address, order: &Dca, fill: &Fill) -> Result {
        self.emit(&COLLECTED_FEE, |event| {
            event.address(&order.user)?;
            event.address(address)?;
            event.address(&order.output_mint)?;
            event.u64(fill.fee)
        })?;
        self.emit(&FILLED, |event| {
            event.address(&order.user)?;
            event.address(address)?;
            event.address(&order.input_mint)?;
            event.address(&order.output_mint)?;
            event.u64(fill.used)?;
            event.u64(fill.received)?;
            event.address(&order.output_mint)?;
            event.u64(fill.fee)
        })
    }

    /// Emits that the user withdrew, or that a keeper paid out what the order has bought.
    #[inline(never)]
    pub fn withdrawn(&self, address: &Address, input: u64, output: u64, by_user: bool) -> Result {
        self.emit(&WITHDRAW, |event| {
            event.address(address)?;
            event.u64(input)?;
            event.u64(output)?;
            event.u8(by_user as u8)
        })
    }

    /// Emits a deposit into an order.
    #[inline(never)]
    pub fn deposited(&self, address: &Address, amount: u64) -> Result {
        self.emit(&DEPOSIT, |event| {
            event.address(address)?;
            event.u64(amount)
        })
    }

    #[inline(always)]
    fn emit(&self, tag: &[u8; 8], write: impl FnOnce(&mut Writer) -> Result) -> Result {
        let mut data = [0; ROOM];
        let mut writer = Writer::new(&mut data);
        writer.array(&event::TAG)?;
        writer.array(tag)?;
        write(&mut writer)?;
        event::emit(&PROGRAM, self.authority, EVENT_AUTHORITY_BUMP, writer.written())
    }
}

/// The amounts of a filled cycle.
pub struct Fill {
    pub used: u64,
    pub received: u64,
    pub fee: u64,
}

fn write_terms(event: &mut Writer, order: &Dca) -> Result {
    event.u64(order.in_deposited)?;
    event.address(&order.input_mint)?;
    event.address(&order.output_mint)?;
    event.u64(order.cycle_frequency as u64)?;
    event.u64(order.in_amount_per_cycle)?;
    event.u64(order.created_at as u64)
}

/// Answers a call of the program to itself. Only its event authority may sign it.
pub fn accept(accounts: &[Account]) -> Result {
    let Some(authority) = accounts.first() else {
        return Err(ProgramError::NOT_ENOUGH_ACCOUNT_KEYS);
    };
    if !authority.is_signer() {
        return Err(anchor::CONSTRAINT_SIGNER.into());
    }
    if *authority.address() != EVENT_AUTHORITY {
        return Err(anchor::CONSTRAINT_SEEDS.into());
    }
    Ok(())
}
