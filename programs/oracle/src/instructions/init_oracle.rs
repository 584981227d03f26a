//! The instruction that creates an oracle.

use crate::error::{
    INVALID_PARAMS, INVALID_SOURCE, INVALID_SOURCES_LENGTH, INVALID_SOURCE_MULTIPLIER_AND_DIVISOR,
};
use crate::sources;
use crate::state::{Admin, Oracle, Source, MAX_SOURCES, ORACLE_LEN, ORACLE_SEED, PROGRAM};
use sluice_program::anchor::{self, decoded};
use sluice_program::bytes::Reader;
use sluice_program::{log, system, Account, Address, Result};

/// The maximum of a multiplier and of a divisor.
const MAX_SCALE: u128 = 10_000_000_000;

/// Arguments: the hops, in the order in which they are multiplied, and the oracle's number. Signed by an auth.
pub fn run(accounts: &[Account], args: &[u8]) -> Result {
    let mut from = Reader::new(args);
    let count = decoded(from.u32())? as usize;
    // The arguments contain all sources that they count, so the length of a transaction limits their number.
    let entries = decoded(count.checked_mul(Source::LEN).and_then(|len| from.bytes(len)))?;
    for entry in entries.chunks_exact(Source::LEN) {
        decoded(Source::read(&mut Reader::new(entry)))?;
    }
    let nonce = decoded(from.u16())?;
    let (&[signer, admin, oracle, system_program], _) = anchor::accounts(accounts)?;
    anchor::check_signer(signer, "signer")?;
    let admin = Admin::load(admin)?;
    anchor::check_program(system_program, &[system::PROGRAM], "system_program")?;
    let bump = anchor::CreateDerived {
        payer: signer,
        account: oracle,
        seeds: &[ORACLE_SEED, &nonce.to_le_bytes()],
        space: ORACLE_LEN,
        program: &PROGRAM,
        owner: &PROGRAM,
        name: "oracle",
    }
    .invoke()?;
    admin.check_auth(signer)?;
    if count > MAX_SOURCES {
        return Err(INVALID_SOURCES_LENGTH.into());
    }
    for entry in entries.chunks_exact(Source::LEN) {
        check(&decoded(Source::read(&mut Reader::new(entry)))?)?;
    }
    Oracle::store(oracle, nonce, entries, bump)
}

fn check(source: &Source) -> Result {
    let scales = [source.multiplier, source.divisor];
    if source.address == Address::ZERO || scales.iter().any(|scale| *scale == 0 || *scale > MAX_SCALE) {
        return Err(INVALID_PARAMS.into());
    }
    if !sources::is_read(source.kind) {
        log::Line::new()
            .text("this stand-in reads no sources of kind ")
            .number(source.kind as u64)
            .text("; it reads price feeds (0), stake pools (1) and the mSOL pool (2)")
            .emit();
        return Err(INVALID_SOURCE.into());
    }
    if scales != [1, 1] {
        return Err(INVALID_SOURCE_MULTIPLIER_AND_DIVISOR.into());
    }
    Ok(())
}
