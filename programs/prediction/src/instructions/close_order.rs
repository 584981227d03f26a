//! The instruction `close_order`.

use sluice_program::sysvar::Clock;
use sluice_program::{anchor, Account, Result};

use super::end::End;
use crate::accounts::Status;
use crate::events::OrderEvent;
use crate::vault::Vault;

/// The keeper ends an order. One of which nothing was filled has failed.
pub fn run(accounts: &[Account]) -> Result {
    let (accounts, _) = anchor::accounts::<12>(accounts)?;
    let &[owner, keeper, vault, ref ending @ ..] = accounts;
    Vault::load(vault)?.check_keeper(keeper)?;
    let (end, mut order) = End::open(owner, ending)?;
    let fails = order.status == Status::Pending;
    if fails {
        order.status = Status::Failed;
    }
    let now = Clock::get()?.unix_timestamp;
    let event = OrderEvent { address: ending[0].address(), order: &order, by: keeper.address(), now };
    let returned = end.holds()?;
    if fails {
        event.failed(returned)?;
    }
    event.closed(returned)?;
    end.run(&order)
}
