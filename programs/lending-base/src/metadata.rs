//! The metadata of a token: the name, symbol and link that wallets show.

use crate::METADATA_PROGRAM;
use sluice_program::heap::List;
use sluice_program::{cpi, Account, Result};

const CREATE_V1: [u8; 2] = [42, 0];

/// The metadata program's `CreateV1` for a fungible token. The mint's authority signs.
pub struct Create<'a> {
    pub metadata: Account<'a>,
    pub mint: Account<'a>,
    /// The authority of the mint and of the metadata.
    pub authority: Account<'a>,
    pub payer: Account<'a>,
    pub system_program: Account<'a>,
    pub sysvar_instructions: Account<'a>,
    pub token_program: Account<'a>,
    pub program: Account<'a>,
    pub decimals: u8,
    pub supply: PrintSupply,
}

/// The print supply of a token, as the instruction numbers it.
#[derive(Clone, Copy)]
pub enum PrintSupply {
    /// No copies can be printed.
    Zero = 0,
    Unlimited = 2,
}

/// The texts, each in parts that are joined.
pub struct Texts<'t> {
    pub name: &'t [&'t [u8]],
    pub symbol: &'t [&'t [u8]],
    pub uri: &'t [&'t [u8]],
}

impl Create<'_> {
    /// Calls the metadata program. Fails with InvalidRealloc if the texts are longer than some 200 bytes.
    #[inline(never)]
    pub fn invoke(&self, texts: &Texts, seeds: &[&[u8]]) -> Result {
        let mut data = List::with_capacity(256)?;
        data.extend(&CREATE_V1)?;
        push_text(&mut data, texts.name)?;
        push_text(&mut data, texts.symbol)?;
        push_text(&mut data, texts.uri)?;
        // No fee, no creators, no primary sale yet, mutable, fungible; no collection, uses, details or rule set.
        data.extend(&[0, 0, 0, 0, 1, 2, 0, 0, 0, 0])?;
        data.extend(&[1, self.decimals, 1, self.supply as u8])?;
        let accounts = [
            self.metadata.writable(),
            self.program.readonly(),
            self.mint.writable(),
            self.authority.readonly_signer(),
            self.payer.writable_signer(),
            self.authority.readonly_signer(),
            self.system_program.readonly(),
            self.sysvar_instructions.readonly(),
            self.token_program.readonly(),
        ];
        cpi::invoke(&METADATA_PROGRAM, &accounts, &data, &[seeds])
    }
}

fn push_text(data: &mut List<u8>, parts: &[&[u8]]) -> Result {
    let mut len = 0u32;
    for part in parts {
        len += part.len() as u32;
    }
    data.extend(&len.to_le_bytes())?;
    for part in parts {
        data.extend(part)?;
    }
    Ok(())
}
