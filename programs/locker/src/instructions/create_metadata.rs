//! The instruction `create_vesting_escrow_metadata`.

use crate::checks::{check_named, check_system_program};
use crate::keys::{METADATA_SEED, PROGRAM};
use crate::metadata::{store, Texts};
use crate::state::Escrow;
use sluice_program::anchor::{self, decoded, CreateDerived};
use sluice_program::bytes::Reader;
use sluice_program::{Account, Result};

/// Writes the texts of an escrow, once. The creator signs, and anybody pays. Arguments: the texts.
pub fn run(accounts: &[Account], args: &[u8]) -> Result {
    let texts = decoded(Texts::read(&mut Reader::new(args)))?;
    let (&[escrow, creator, metadata, payer, system_program], _) = anchor::accounts::<5>(accounts)?;
    let state = Escrow::load(escrow)?;
    anchor::check_signer(creator, "creator")?;
    anchor::check_signer(payer, "payer")?;
    check_system_program(system_program)?;
    CreateDerived {
        payer,
        account: metadata,
        seeds: &[METADATA_SEED, &escrow.address().0],
        space: texts.space(),
        program: &PROGRAM,
        owner: &PROGRAM,
        name: "escrow_metadata",
    }
    .invoke()?;
    anchor::check_writable(escrow, "escrow")?;
    check_named(creator, &state.creator)?;
    anchor::check_writable(payer, "payer")?;
    store(metadata, escrow.address(), &texts)
}
