//! Log lines that clients read: what happened, and four numbers.

use sluice_program::log;

pub enum Event {
    Burn,
    Deposit,
    SwapAToB,
    SwapBToA,
    WithdrawA,
    WithdrawB,
}

/// Amounts of token A, of token B, of LP tokens, and the fee.
pub fn event(event: Event, amounts: [u64; 4]) {
    let (number, text) = match event {
        Event::Burn => (0, "Event: Burn"),
        Event::Deposit => (1, "Event: Deposit"),
        Event::SwapAToB => (2, "Event: SwapAToB"),
        Event::SwapBToA => (3, "Event: SwapBToA"),
        Event::WithdrawA => (4, "Event: WithdrawA"),
        Event::WithdrawB => (5, "Event: WithdrawB"),
    };
    let [a, b, lp, fee] = amounts;
    log::text(text);
    log::numbers(number, a, b, lp, fee);
}

pub fn slippage(minimum: u64, computed: u64) {
    log::numbers(0, 0, 0, minimum, computed);
}
