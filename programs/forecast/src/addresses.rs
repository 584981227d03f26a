//! The addresses of the program.

use sluice_program::{address, Address};

pub const PROGRAM: Address = address!("2sVcg2dBSUzXkmdZ8M5cp1LbnzDrWJmr6hktkHwB8nY3");
/// The only account of settings.
pub const CONFIG: Address = address!("8LczfBkVZJhGnTYH8nQke2YC3b83GFZ8qZtfuMRe6AN6");
/// The mint in which everything is paid.
pub const USDC: Address = address!("EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v");
/// Owns the reserve.
pub const AUTHORITY: Address = address!("6wWJHJCqNnHEe3vcLwXupZHndxqP1xPgVCqZDTN9XQHb");
pub const AUTHORITY_SEED: &[u8] = b"authority";
pub const AUTHORITY_BUMP: u8 = 255;
/// The authority's associated token account of USDC.
pub const RESERVE: Address = address!("2dwtQzuzGWmeD6KVKFeWC53jo9cA5NMWpTFSSrRmzDM4");
/// The program that owns the feeds.
pub const FEED_PROGRAM: Address = address!("rec5EKMGg6MxZYaMdyBfgwp4d5rB9T1VQH5pJv5LtFJ");

pub const ROUND_SEED: &[u8] = b"round";
pub const SIDE_SEED: &[u8] = b"side";
pub const MINT_SEED: &[u8] = b"mint";
