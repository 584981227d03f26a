//! The account of an escrow's metadata: texts that the creator has written.

use crate::keys::PROGRAM;
use sluice_program::bytes::{Reader, Writer};
use sluice_program::{anchor, Account, Address, Result};

const TAG: [u8; 8] = anchor::account("VestingEscrowMetadata");
/// The discriminator and the escrow come before the texts.
const TEXTS: usize = 8 + 32;

/// The texts: name, description, e-mail address of the creator, and that of the recipient.
pub struct Texts<'d> {
    pub texts: [&'d [u8]; 4],
}

impl<'d> Texts<'d> {
    /// Reads the texts in borsh. Returns None unless all of them are valid UTF-8.
    pub fn read(from: &mut Reader<'d>) -> Option<Self> {
        let mut texts: [&[u8]; 4] = [&[]; 4];
        for text in &mut texts {
            *text = read_text(from)?;
        }
        Some(Self { texts })
    }

    /// Returns the length of an account with these texts. Each has four bytes of length before it.
    pub fn space(&self) -> usize {
        self.texts.iter().fold(TEXTS, |sum, text| sum + 4 + text.len())
    }
}

pub fn read_text<'d>(from: &mut Reader<'d>) -> Option<&'d [u8]> {
    let bytes = from.prefixed()?;
    core::str::from_utf8(bytes).ok().map(str::as_bytes)
}

/// Writes new metadata.
pub fn store(account: Account, escrow: &Address, texts: &Texts) -> Result {
    let mut data = account.data_mut()?;
    let mut to = Writer::new(&mut data);
    to.array(&TAG)?;
    to.address(escrow)?;
    texts.texts.iter().try_for_each(|text| write_text(&mut to, text))
}

/// What an instruction that changes the metadata needs to know of it.
pub struct Found {
    pub escrow: Address,
    /// The offset of the recipient's e-mail address, which is the last field.
    email: usize,
}

impl Found {
    /// Reads the account. Fails with an error of Anchor's unless it is metadata.
    #[inline(never)]
    pub fn load(account: Account) -> Result<Self> {
        const NAME: &str = "escrow_metadata";
        let data = anchor::load(account, &PROGRAM, &TAG, NAME)?;
        Self::decode(&data).ok_or_else(|| anchor::ACCOUNT_DID_NOT_DESERIALIZE.of(NAME))
    }

    fn decode(data: &[u8]) -> Option<Self> {
        let mut from = Reader::new(data.get(8..)?);
        let escrow = from.address()?;
        let Texts { texts: [name, description, creator, _] } = Texts::read(&mut from)?;
        let email = TEXTS + 4 + name.len() + 4 + description.len() + 4 + creator.len();
        Some(Self { escrow, email })
    }

    /// Returns the length of the account with another e-mail address of the recipient.
    pub fn space_with(&self, email: &[u8]) -> usize {
        self.email + 4 + email.len()
    }

    /// Replaces the e-mail address of the recipient, by which the account gets longer or shorter.
    pub fn set_email(&self, account: Account, email: &[u8]) -> Result {
        account.resize(self.space_with(email))?;
        let mut data = account.data_mut()?;
        write_text(&mut Writer::new(&mut data[self.email..]), email)
    }
}

fn write_text(to: &mut Writer, text: &[u8]) -> Result {
    to.u32(text.len() as u32)?;
    to.bytes(text)
}
