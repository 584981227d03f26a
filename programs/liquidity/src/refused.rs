//! The instructions of the public program that are refused here.

use sluice_program::anchor;

pub const REFUSED: [([u8; 8], &str); 2] = [
    (anchor::instruction("pause_token"), "pause_token"),
    (anchor::instruction("unpause_token"), "unpause_token"),
];
