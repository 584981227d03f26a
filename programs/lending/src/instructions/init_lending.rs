//! The instruction that creates an earn token.

use crate::error::LIQUIDITY_PROGRAM_MISMATCH;
use crate::instructions::metadata;
use crate::keys::{LENDING_SEED, PROGRAM, RECEIPT_MINT_SEED, SUPPLY_POSITION_SEED};
use crate::rates::now;
use crate::state::admin::Admin;
use crate::state::lending::Lending;
use crate::state::liquidity::Reserve;
use sluice_lending::metadata::{Create, PrintSupply};
use sluice_lending::{LIQUIDITY_PROGRAM, METADATA_PROGRAM};
use sluice_program::anchor::{self, decoded};
use sluice_program::bytes::Reader;
use sluice_program::interest::{self, PRICE_ONE};
use sluice_program::layout::Layout;
use sluice_program::token::{self, InitializeMint2, Mint, PROGRAMS};
use sluice_program::{system, Account, Address, Result};

struct Context<'a> {
    signer: Account<'a>,
    admin: Account<'a>,
    mint: Account<'a>,
    receipt_mint: Account<'a>,
    lending: Account<'a>,
    token_program: Account<'a>,
}

/// Arguments: the symbol of the token that will be deposited, the liquidity program. Signed by an auth.
pub fn run(accounts: &[Account], args: &[u8]) -> Result {
    let mut from = Reader::new(args);
    let symbol = decoded(from.prefixed())?;
    let liquidity_program = decoded(from.address())?;
    let (&[signer, admin, mint, receipt_mint, metadata_account, lending, reserve, ref rest @ ..], _) =
        anchor::accounts::<12>(accounts)?;
    let &[token_program, system_program, sysvar_instructions, metadata_program, _rent] = rest;
    let context = Context { signer, admin, mint, receipt_mint, lending, token_program };
    anchor::check_signer(signer, "signer")?;
    let mut state = Admin::load(admin)?;
    let decimals = Mint::load(mint, "mint")?.decimals;
    let totals = Reserve::load(reserve)?;
    anchor::check_program(token_program, &PROGRAMS, "token_program")?;
    anchor::check_program(system_program, &[system::PROGRAM], "system_program")?;
    anchor::check_program(metadata_program, &[METADATA_PROGRAM], "metadata_program")?;
    let bump = create_accounts(&context, decimals)?;
    state.check_auth(signer)?;
    anchor::check_writable(admin, "lending_admin")?;
    if totals.mint != *mint.address() {
        return Err(anchor::CONSTRAINT_HAS_ONE.of("token_reserves_liquidity"));
    }
    if liquidity_program != state.liquidity_program {
        return Err(LIQUIDITY_PROGRAM_MISMATCH.into());
    }
    let call = Create {
        metadata: metadata_account,
        mint: receipt_mint,
        authority: admin,
        payer: signer,
        system_program,
        sysvar_instructions,
        token_program,
        program: metadata_program,
        decimals,
        supply: PrintSupply::Unlimited,
    };
    metadata::create(&call, symbol, state.bump)?;

    let now = now()?;
    let seeds = [SUPPLY_POSITION_SEED, &mint.address().0, &lending.address().0];
    let (position, _) = Address::find(&seeds, &LIQUIDITY_PROGRAM)?;
    Lending {
        mint: *mint.address(),
        receipt_mint: *receipt_mint.address(),
        id: state.next_lending_id,
        decimals,
        rewards: Address::ZERO,
        liquidity_price: interest::prices_at(&totals.accrual, now)?.supply,
        token_price: PRICE_ONE,
        last_update: now,
        reserve: *reserve.address(),
        position,
        bump,
    }
    .store(lending)?;
    state.next_lending_id += 1;
    state.store(admin)
}

/// Creates the receipt mint and the account of the earn token, and returns the account's bump.
#[inline(never)]
fn create_accounts(context: &Context, decimals: u8) -> Result<u8> {
    let Context { signer, admin, mint, receipt_mint, lending, token_program } = *context;
    let mint = &mint.address().0;
    anchor::CreateDerived {
        payer: signer,
        account: receipt_mint,
        seeds: &[RECEIPT_MINT_SEED, mint],
        space: token::MINT_LEN,
        program: &PROGRAM,
        owner: token_program.address(),
        name: "f_token_mint",
    }
    .invoke()?;
    InitializeMint2 { program: token_program, mint: receipt_mint, decimals, mint_authority: admin.address() }
        .invoke()?;
    anchor::CreateDerived {
        payer: signer,
        account: lending,
        seeds: &[LENDING_SEED, mint, &receipt_mint.address().0],
        space: Lending::SPACE,
        program: &PROGRAM,
        owner: &PROGRAM,
        name: "lending",
    }
    .invoke()
}
