//! The parameters of the random walk that moves a feed's price. They stand in an account beside the feed, so that
//! they survive with the accounts of the network.

use crate::{feed, PROGRAM};
use sluice_program::bytes::{Reader, Writer};
use sluice_program::{anchor, memory, system, Account, Address, Result};

const TAG: [u8; 8] = anchor::account("PriceWalk");
const SEED: &[u8] = b"walk";
/// Seed u64, deviation u32, drift i32, seconds of a step u32, start i64, steps u64.
const TERMS: usize = 8 + 4 + 4 + 4 + 8 + 8;
const LEN: usize = 8 + 32 + TERMS;

/// Argument: the parameters of the walk, which the program stores without reading them. Accounts: the feed's
/// authority, which signs and pays for a new account, the feed, the walk, and the system program.
pub fn run(accounts: &[Account], args: &[u8]) -> Result {
    let mut from = Reader::new(args);
    let terms = *from.array::<TERMS>().ok_or(anchor::INSTRUCTION_DID_NOT_DESERIALIZE)?;
    let (&[authority, feed, walk, system_program], _) = anchor::accounts(accounts)?;
    anchor::check_signer(authority, "authority")?;
    feed::check(feed, authority.address())?;
    anchor::check_program(system_program, &[system::PROGRAM], "system_program")?;
    let (expected, bump) = Address::find(&[SEED, &feed.address().0], &PROGRAM)?;
    if *walk.address() != expected {
        return Err(anchor::CONSTRAINT_SEEDS.of("walk"));
    }
    if !walk.is_owned_by(&PROGRAM) {
        system::Create { payer: authority, account: walk, space: LEN, owner: &PROGRAM }.invoke(&[&[
            SEED,
            &feed.address().0,
            &[bump],
        ]])?;
    }
    anchor::check_writable(walk, "walk")?;
    let mut data = walk.data_mut()?;
    memory::fill(&mut data, 0);
    let mut to = Writer::new(&mut data);
    to.array(&TAG)?;
    to.address(feed.address())?;
    to.array(&terms)
}
