//! `create_smart_account`: opens the settings of the next smart account.

use crate::errors;
use crate::state::{read_signers, ProgramConfig, Settings, Signer, PREFIX, PROGRAM_CONFIG, SETTINGS};
use sluice_program::bytes::Reader;
use sluice_program::heap::List;
use sluice_program::{anchor, layout, system, Account, Address, ProgramError, Result};

struct Args {
    authority: Option<Address>,
    threshold: u16,
    signers: List<Signer>,
    time_lock: u32,
}

impl Args {
    #[inline(never)]
    fn read(args: &[u8]) -> Option<Self> {
        let mut from = Reader::new(args);
        let authority = optional_address(&mut from)?;
        let threshold = from.u16()?;
        let signers = read_signers(&mut from)?;
        let time_lock = from.u32()?;
        // The rent collector is not kept, and the memo only stands in the transaction.
        optional_address(&mut from)?;
        if from.bool()? {
            from.prefixed()?;
        }
        Some(Self { authority, threshold, signers, time_lock })
    }
}

fn optional_address(from: &mut Reader) -> Option<Option<Address>> {
    if from.bool()? {
        from.address().map(Some)
    } else {
        Some(None)
    }
}

#[inline(never)]
pub fn create(program: &Address, accounts: &[Account], args: &[u8]) -> Result {
    let args = anchor::decoded(Args::read(args))?;
    let (&[config_account, treasury, creator, system_program, own], rest) = anchor::accounts::<5>(accounts)?;
    let mut config: ProgramConfig = layout::load(config_account, program, "program_config")?;
    anchor::check_signer(creator, "creator")?;
    anchor::check_program(system_program, &[system::PROGRAM], "system_program")?;
    anchor::check_program(own, &[*program], "program")?;
    anchor::check_derived(config_account, &[PREFIX, PROGRAM_CONFIG], program, "program_config")?;
    anchor::check_writable(config_account, "program_config")?;
    anchor::check_writable(treasury, "treasury")?;
    anchor::check_writable(creator, "creator")?;
    if *treasury.address() != config.treasury {
        return Err(errors::INVALID_ACCOUNT.into());
    }
    let seed = config.smart_account_index.checked_add(1).ok_or(ProgramError::ARITHMETIC_OVERFLOW)?;
    let bytes = seed.to_le_bytes();
    let (address, bump) = Address::find(&[PREFIX, SETTINGS, &bytes], program)?;
    let Some(&account) = rest.iter().find(|each| *each.address() == address) else {
        return Err(errors::MISSING_ACCOUNT.into());
    };
    let mut signers = args.signers;
    sort(&mut signers);
    let settings = Settings {
        seed,
        authority: args.authority.unwrap_or(Address::ZERO),
        threshold: args.threshold,
        time_lock: args.time_lock,
        bump,
        signers,
    };
    open(program, creator, account, &settings)?;
    settings.check()?;
    if config.smart_account_creation_fee > 0 {
        system::Transfer { from: creator, to: treasury, lamports: config.smart_account_creation_fee }
            .invoke(&[])?;
    }
    config.smart_account_index = seed;
    layout::store(&config, config_account)
}

#[inline(never)]
fn open(program: &Address, payer: Account, account: Account, settings: &Settings) -> Result {
    if !account.is_owned_by(&system::PROGRAM) {
        return Err(anchor::ACCOUNT_NOT_SYSTEM_OWNED.into());
    }
    if account.data_len() > 0 {
        return Err(errors::ACCOUNT_NOT_EMPTY.into());
    }
    if !account.is_writable() {
        return Err(anchor::ACCOUNT_NOT_MUTABLE.into());
    }
    let seeds = [PREFIX, SETTINGS, &settings.seed.to_le_bytes(), &[settings.bump]];
    let space = Settings::space(settings.signers.len());
    system::Create { payer, account, space, owner: program }.invoke(&[&seeds])?;
    settings.store(account)
}

/// Sorts the signers by their addresses.
fn sort(signers: &mut List<Signer>) {
    let signers = signers.as_mut_slice();
    for end in 1..signers.len() {
        let mut at = end;
        while at > 0 && signers[at].key < signers[at - 1].key {
            signers.swap(at, at - 1);
            at -= 1;
        }
    }
}
