//! The instruction `fill`.

use sluice_program::bytes::Reader;
use sluice_program::sysvar::Clock;
use sluice_program::{anchor, log, Account, Address, Result};

use crate::accounts::FillAccounts;

/// The arguments of `fill`.
struct Fill {
    /// Atoms that the taker pays.
    input_amount: u64,
    /// Atoms that the maker pays.
    output_amount: u64,
    /// The last Unix second in which the quote can be filled.
    expire_at: i64,
}

impl Fill {
    /// Returns None if the data is cut short. Bytes behind the arguments are ignored, because services write their
    /// fee there.
    fn decode(data: &[u8]) -> Option<Self> {
        let mut reader = Reader::new(data);
        let (input_amount, output_amount) = (reader.u64()?, reader.u64()?);
        Some(Self { input_amount, output_amount, expire_at: reader.i64()? })
    }
}

/// Transfers the input from the taker to the maker, then the output from the maker to the taker. Fails with
/// RequireGteViolated if the quote has expired.
pub fn fill(program: &Address, accounts: &[Account], args: &[u8]) -> Result {
    log::text("Instruction: Fill");
    let args = Fill::decode(args).ok_or(anchor::INSTRUCTION_DID_NOT_DESERIALIZE)?;
    let accounts = FillAccounts::check(program, accounts)?;
    if args.expire_at < Clock::get()?.unix_timestamp {
        return Err(anchor::REQUIRE_GTE_VIOLATED.into());
    }
    accounts.input().pay(args.input_amount)?;
    accounts.output().pay(args.output_amount)
}
