//! The instructions of the public program that are refused here.

use sluice_program::anchor;

pub const REFUSED: [[u8; 8]; 7] = [
    anchor::instruction("operate_dex"),
    anchor::instruction("operate_perfect_dex"),
    anchor::instruction("liquidate_dex"),
    anchor::instruction("liquidate_perfect_dex"),
    anchor::instruction("rebalance_with_amounts"),
    anchor::instruction("rebalance_dex"),
    anchor::instruction("rebalance_dex_with_amounts"),
];
