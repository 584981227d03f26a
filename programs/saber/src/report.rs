//! Log lines that clients parse: the name of an event, then five numbers.

use sluice_program::log;

/// The events that the program logs.
pub enum Event {
    Burn,
    Deposit,
    SwapAToB,
    SwapBToA,
    WithdrawA,
    WithdrawB,
}

/// Logs an event with its amounts of token A, of token B and of LP tokens, and its fee.
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

/// Logs the minimum that the user asked for and the lower amount that was computed.
pub fn slippage(minimum: u64, computed: u64) {
    log::numbers(0, 0, 0, minimum, computed);
}
