//! The instruction `update_vesting_escrow_recipient`.

use crate::checks::check_system_program;
use crate::error::INVALID_ESCROW_METADATA;
use crate::events::{check_authority, emit_recipient_updated};
use crate::keys::PROGRAM;
use crate::metadata::{read_text, Found};
use crate::state::Escrow;
use sluice_program::anchor::{self, decoded};
use sluice_program::bytes::Reader;
use sluice_program::sysvar::Rent;
use sluice_program::{system, Account, Address, Result};

/// Arguments: the new recipient, and its e-mail address if that is to be written into the metadata.
struct Arguments<'d> {
    recipient: Address,
    email: Option<&'d [u8]>,
}

impl<'d> Arguments<'d> {
    fn read(from: &mut Reader<'d>) -> Option<Self> {
        let recipient = from.address()?;
        let email = if from.bool()? { Some(read_text(from)?) } else { None };
        Some(Self { recipient, email })
    }
}

/// Gives the escrow to a new recipient. The signer, to whom the escrow's mode permits it, pays for longer metadata.
pub fn run(accounts: &[Account], args: &[u8]) -> Result {
    let Arguments { recipient, email } = decoded(Arguments::read(&mut Reader::new(args)))?;
    let (&[escrow, metadata, signer, system_program, authority, _], _) = anchor::accounts::<6>(accounts)?;
    let mut state = Escrow::load(escrow)?;
    let metadata = anchor::optional(metadata, &PROGRAM);
    let found = match metadata {
        Some(account) => Some((account, Found::load(account)?)),
        None => None,
    };
    anchor::check_signer(signer, "signer")?;
    check_system_program(system_program)?;

    anchor::check_writable(escrow, "escrow")?;
    state.check_open()?;
    if let Some(account) = metadata {
        anchor::check_writable(account, "escrow_metadata")?;
    }
    anchor::check_writable(signer, "signer")?;
    check_authority(authority)?;

    state.check_permitted(state.update_recipient_mode, signer.address())?;
    let old = state.recipient;
    state.recipient = recipient;
    state.save(escrow)?;
    if let Some(email) = email {
        match found {
            Some((account, found)) if found.escrow == *escrow.address() => {
                write_email(signer, account, &found, email)?;
            }
            _ => return Err(INVALID_ESCROW_METADATA.into()),
        }
    }
    emit_recipient_updated(authority, [escrow.address(), &old, &recipient, signer.address()])
}

/// Writes the e-mail address. The rent of metadata that gets shorter stays in it.
#[inline(never)]
fn write_email(signer: Account, account: Account, found: &Found, email: &[u8]) -> Result {
    let needed = Rent::get()?.minimum_balance(found.space_with(email));
    let lamports = needed.saturating_sub(account.lamports());
    system::Transfer { from: signer, to: account, lamports }.invoke(&[])?;
    found.set_email(account, email)
}
