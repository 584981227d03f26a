//! The addresses, seeds and memos of the public program.

use sluice_program::{address, Address};

pub const PROGRAM: Address = address!("LocpQgucEQHbqNABEYvBvwoxCPsSbG91A1QaQhQQqjn");
pub const EVENT_AUTHORITY: Address = address!("AqUDk3wybxjZujrNbKmjr2YTUZ8RA1a1nyGgs1zSmvTG");
pub const EVENT_AUTHORITY_BUMP: u8 = 253;
pub const MEMO_PROGRAM: Address = address!("MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr");

/// Together with the base, the seeds of an escrow.
pub const ESCROW_SEED: &[u8] = b"escrow";
/// Together with the escrow, the seeds of its metadata.
pub const METADATA_SEED: &[u8] = b"escrow_metadata";

// The memos before a transfer to a token account that requires one.
pub const CLAIM_MEMO: &[u8] = b"Jup-Lock ClaimVesting";
pub const CANCEL_MEMO: &[u8] = b"Jup-Lock CancelVesting";
pub const CLOSE_MEMO: &[u8] = b"Jup-Lock CloseEscrow";
