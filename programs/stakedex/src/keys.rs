//! The addresses and seeds of the public program.

use sluice_program::{address, Address};

pub const PROGRAM: Address = address!("stkitrT1Uoy18Dk1fTrgPw8W6MVzoCfYoAFT4MLsmhq");
/// Only pools of this program are supported here. The public program supports several more.
pub const STAKE_POOL_PROGRAM: Address = address!("SPoo1Ku8WFXoNDMHPsrGSTSG1Y47rzgn41SLUNakuHy");
pub const WRAPPED_SOL: Address = address!("So11111111111111111111111111111111111111112");
pub const WRAPPED_SOL_DECIMALS: u8 = 9;

/// A wallet that keeps the rent of [`WSOL_BRIDGE_IN`] between deposits. It is derived from [`BRIDGE_SEED`].
pub const SOL_BRIDGE_OUT: Address = address!("75jTZDE78xpBJokeB2BcimRNY5BZ7U45bWhpgUrTzWZC");
pub const BRIDGE_BUMP: u8 = 253;
pub const BRIDGE_SEED: &[u8] = b"sol_bridge_out";
/// A token account that exists only during a deposit. It is derived from [`SOL_BRIDGE_OUT`] and [`BRIDGE_IN_SEED`].
pub const WSOL_BRIDGE_IN: Address = address!("7UWZDKjBT1dTvAzdjoSCYKnML3SPt9tfFkANGarEq5r3");
pub const BRIDGE_IN_SEED: &[u8] = b"wsol_bridge_in";

pub const FEE_SEED: &[u8] = b"fee";
