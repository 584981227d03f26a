//! The name and symbol of a receipt token, which wallets show.

use crate::keys::ADMIN_SEED;
use sluice_lending::metadata::{Create, Texts};
use sluice_program::{ProgramError, Result};

const NAME: &[u8] = b"jupiter lend ";
const SYMBOL: &[u8] = b"jl";
const URI: [&[u8]; 2] = [b"https://cdn.instadapp.io/solana/tokens/metadata/", b".json"];
const MAX_SYMBOL: usize = 32;

/// Creates the metadata. `symbol` is that of the deposited token. The admin's address signs.
#[inline(never)]
pub fn create(call: &Create, symbol: &[u8], admin_bump: u8) -> Result {
    if symbol.len() > MAX_SYMBOL {
        return Err(ProgramError::INVALID_ARGUMENT);
    }
    let (mut upper, mut lower) = ([0; MAX_SYMBOL], [0; MAX_SYMBOL]);
    for (index, letter) in symbol.iter().enumerate() {
        upper[index] = letter.to_ascii_uppercase();
        lower[index] = letter.to_ascii_lowercase();
    }
    let (upper, lower) = (&upper[..symbol.len()], &lower[..symbol.len()]);
    let texts = Texts { name: &[NAME, upper], symbol: &[SYMBOL, upper], uri: &[URI[0], lower, URI[1]] };
    call.invoke(&texts, &[ADMIN_SEED, &[admin_bump]])
}
