//! The name of a position's token, which wallets show.

use crate::keys::ADMIN_SEED;
use sluice_lending::metadata::{Create, Texts};
use sluice_program::Result;

const NAME: &[u8] = b"jupiter vault ";
const SYMBOL: &[u8] = b"jv";
const URI: [&[u8]; 2] = [b"https://cdn.instadapp.io/solana/vaults/metadata/", b".json"];

/// Creates the metadata. The admin's address signs.
#[inline(never)]
pub fn create(call: &Create, vault_id: u16, admin_bump: u8) -> Result {
    let mut digits = [0; 5];
    let id = decimal(vault_id, &mut digits);
    let texts = Texts { name: &[NAME, id], symbol: &[SYMBOL, id], uri: &[URI[0], id, URI[1]] };
    call.invoke(&texts, &[ADMIN_SEED, &[admin_bump]])
}

fn decimal(mut number: u16, digits: &mut [u8; 5]) -> &[u8] {
    let mut start = digits.len();
    loop {
        start -= 1;
        digits[start] = b'0' + (number % 10) as u8;
        number /= 10;
        if number == 0 {
            return &digits[start..];
        }
    }
}
