//! The instruction `cancel_order`.

use sluice_program::sysvar::Clock;
use sluice_program::{anchor, Account, Result};

use super::end::End;
use crate::accounts::Status;
use crate::errors::INVALID_STATUS_TRANSITION;
use crate::events::OrderEvent;
use crate::vault::Vault;

/// The owner ends an order of which a part is not filled. The service signs too, so that it knows.
pub fn run(accounts: &[Account]) -> Result {
    let (accounts, _) = anchor::accounts::<12>(accounts)?;
    let &[owner, authority, vault, ref ending @ ..] = accounts;
    anchor::check_signer(owner, "owner")?;
    Vault::load(vault)?.check_authority(authority)?;
    let (end, mut order) = End::open(owner, ending)?;
    if !order.is_open() {
        return Err(INVALID_STATUS_TRANSITION.of("order"));
    }
    order.status = Status::Cancelled;
    let now = Clock::get()?.unix_timestamp;
    let event = OrderEvent { address: ending[0].address(), order: &order, by: owner.address(), now };
    event.canceled(end.holds()?)?;
    end.run(&order)
}
