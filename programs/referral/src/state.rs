//! The two accounts of the program, and the seeds of the addresses that it derives.

use sluice_program::account::Data;
use sluice_program::anchor::{self, ACCOUNT_DID_NOT_DESERIALIZE};
use sluice_program::bytes::{Reader, Writer};
use sluice_program::{Account, Address, Result};

use crate::errors::ACCOUNT_DID_NOT_SERIALIZE;

pub const PROJECT_SEED: &[u8] = b"project";
pub const PROJECT_AUTHORITY_SEED: &[u8] = b"project_authority";
pub const REFERRAL_SEED: &[u8] = b"referral";
pub const REFERRAL_ATA_SEED: &[u8] = b"referral_ata";

/// The length of a project's account: the names that `initialize_project` accepts have at most 200 bytes.
pub const PROJECT_LEN: usize = 8 + 32 + 32 + 200 + 12;
/// The length of a referral account.
pub const REFERRAL_ACCOUNT_LEN: usize = 8 + 32 + 32 + 200 + 2;

const PROJECT: [u8; 8] = anchor::account("Project");
const REFERRAL_ACCOUNT: [u8; 8] = anchor::account("ReferralAccount");

/// Where the first field begins: the base of a project, and the partner of a referral account.
pub const PARTNER_OFFSET: usize = 8;
pub const ADMIN_OFFSET: usize = 8 + 32;
pub const SHARE_OFFSET: usize = 8 + 32 + 32;

/// Shares fees with its partners.
pub struct Project<'d> {
    /// The key from which the project's address is derived. A project of the genesis names its own address instead:
    /// see [`Project::is_of_genesis`].
    pub base: Address,
    pub admin: Address,
    pub name: &'d [u8],
    /// The share of new partners.
    pub default_share_bps: u16,
}

impl<'d> Project<'d> {
    /// Reads the fields. Fails with AccountDidNotDeserialize if they are cut short.
    pub fn decode(data: &'d [u8]) -> Result<Self> {
        Self::read(data).ok_or_else(|| ACCOUNT_DID_NOT_DESERIALIZE.of("project"))
    }

    fn read(data: &'d [u8]) -> Option<Self> {
        let mut reader = Reader::new(data.get(8..)?);
        Some(Self {
            base: reader.address()?,
            admin: reader.address()?,
            name: read_text(&mut reader)?,
            default_share_bps: reader.u16()?,
        })
    }

    /// Writes the discriminator and all fields. Fails with AccountDidNotSerialize if they do not fit.
    pub fn store(&self, account: Account) -> Result {
        let mut data = account.data_mut()?;
        self.write(&mut Writer::new(&mut data)).map_err(|_| ACCOUNT_DID_NOT_SERIALIZE.into())
    }

    fn write(&self, to: &mut Writer) -> Result {
        to.array(&PROJECT)?;
        to.address(&self.base)?;
        to.address(&self.admin)?;
        write_text(to, self.name)?;
        to.u16(self.default_share_bps)
    }

    /// Whether the genesis of the embedded network wrote the project at the address of a public one. The key from which
    /// that address is derived is not known, so the project names its own address, which no signature can have made:
    /// `initialize_project` demands the base's, and derives another address from it.
    pub fn is_of_genesis(&self, account: Account) -> bool {
        self.base == *account.address()
    }
}

/// A partner's part in a project.
pub struct ReferralAccount<'d> {
    pub partner: Address,
    pub project: Address,
    pub share_bps: u16,
    /// The account's address is derived from the project and the name. Without a name it has a key of its own, and
    /// cannot own token accounts.
    pub name: Option<&'d [u8]>,
}

impl<'d> ReferralAccount<'d> {
    /// Reads the fields. Fails with AccountDidNotDeserialize if they are cut short.
    pub fn decode(data: &'d [u8]) -> Result<Self> {
        Self::read(data).ok_or_else(|| ACCOUNT_DID_NOT_DESERIALIZE.of("referral_account"))
    }

    fn read(data: &'d [u8]) -> Option<Self> {
        let mut reader = Reader::new(data.get(8..)?);
        let (partner, project, share_bps) = (reader.address()?, reader.address()?, reader.u16()?);
        let name = if reader.bool()? { Some(read_text(&mut reader)?) } else { None };
        Some(Self { partner, project, share_bps, name })
    }

    /// Writes the discriminator and all fields.
    pub fn store(&self, account: Account) -> Result {
        let mut data = account.data_mut()?;
        let mut writer = Writer::new(&mut data);
        writer.array(&REFERRAL_ACCOUNT)?;
        writer.address(&self.partner)?;
        writer.address(&self.project)?;
        writer.u16(self.share_bps)?;
        write_optional_text(&mut writer, self.name)
    }
}

/// A kind of account: its discriminator, and what the interface calls it.
struct Kind {
    discriminator: [u8; 8],
    name: &'static str,
}

/// Returns the data of a project. Fails as [`anchor::load`] does.
pub fn load_project<'a>(account: Account<'a>, program: &Address) -> Result<Data<'a>> {
    load(account, program, &Kind { discriminator: PROJECT, name: "project" })
}

/// Returns the data of a referral account. Fails as [`anchor::load`] does.
pub fn load_referral_account<'a>(account: Account<'a>, program: &Address) -> Result<Data<'a>> {
    load(account, program, &Kind { discriminator: REFERRAL_ACCOUNT, name: "referral_account" })
}

/// [`anchor::load`] has too many arguments to be called from several places.
#[inline(never)]
fn load<'a>(account: Account<'a>, program: &Address, kind: &Kind) -> Result<Data<'a>> {
    anchor::check_owner(account, core::slice::from_ref(program), kind.name)?;
    let data = account.data()?;
    match data.first_chunk::<8>() {
        None => Err(anchor::ACCOUNT_DISCRIMINATOR_NOT_FOUND.of(kind.name)),
        Some(found) if *found != kind.discriminator => {
            Err(anchor::ACCOUNT_DISCRIMINATOR_MISMATCH.of(kind.name))
        }
        Some(_) => Ok(data),
    }
}

/// Reads a text of borsh. Returns None if it is cut short or is not UTF-8.
pub fn read_text<'d>(from: &mut Reader<'d>) -> Option<&'d [u8]> {
    let bytes = from.prefixed()?;
    core::str::from_utf8(bytes).ok().map(str::as_bytes)
}

/// Writes a text of borsh.
pub fn write_text(to: &mut Writer, text: &[u8]) -> Result {
    to.u32(text.len() as u32)?;
    to.bytes(text)
}

/// Writes an optional text of borsh.
pub fn write_optional_text(to: &mut Writer, text: Option<&[u8]>) -> Result {
    match text {
        None => to.u8(0),
        Some(text) => {
            to.u8(1)?;
            write_text(to, text)
        }
    }
}

/// Returns the number of characters of a text that is UTF-8: every byte begins one, except those that go on with it.
pub fn count_characters(text: &[u8]) -> usize {
    text.iter().filter(|byte| **byte & 0xc0 != 0x80).count()
}
