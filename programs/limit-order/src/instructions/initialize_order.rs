//! The instruction `initialize_order`.

use sluice_program::anchor::{self, decoded, CreateDerived};
use sluice_program::bytes::Reader;
use sluice_program::layout::Field;
use sluice_program::sysvar::Clock;
use sluice_program::token::{TokenAccount, TransferChecked};
use sluice_program::{associated_token, token, Account, Address, Result};

use crate::amounts::BPS;
use crate::checks::{check_event_accounts, check_system_program, check_token_program, load_mint, Expected};
use crate::errors::{
    FEE_BPS_TOO_HIGH, FEE_BPS_TOO_LOW, INVALID_EXPIRED_DATE, INVALID_INPUT_ACCOUNT, INVALID_MAKING_AMOUNT,
    INVALID_OUTPUT_MINT, INVALID_PAIR, INVALID_TAKING_AMOUNT,
};
use crate::events::emit_create_order;
use crate::instructions::update_fee::MAX_FEE_BPS;
use crate::state::{Fee, OptionalSecond, Order, FEE, ORDER_SEED, ORDER_SPACE, PROGRAM};

struct Params {
    unique_id: u64,
    making_amount: u64,
    taking_amount: u64,
    expired_at: Option<i64>,
    fee_bps: Option<u16>,
    slippage_bps: u16,
}

impl Params {
    /// The slippage is missing in calls by the older interface.
    fn read(args: &[u8]) -> Option<Self> {
        let mut from = Reader::new(args);
        let (unique_id, making_amount, taking_amount) = (from.u64()?, from.u64()?, from.u64()?);
        let expired_at = OptionalSecond::read(&mut from)?;
        let fee_bps = read_optional_bps(&mut from)?;
        let slippage_bps =
            if from.rest().is_empty() { None } else { read_optional_bps(&mut from)? }.unwrap_or(0);
        Some(Self { unique_id, making_amount, taking_amount, expired_at, fee_bps, slippage_bps })
    }

    fn check(&self, now: i64) -> Result {
        if self.making_amount == 0 {
            return Err(INVALID_MAKING_AMOUNT.into());
        }
        // With a slippage of everything, the maker could be paid nothing.
        if self.taking_amount == 0 || self.slippage_bps as u64 >= BPS {
            return Err(INVALID_TAKING_AMOUNT.into());
        }
        match self.expired_at {
            Some(second) if second <= now => Err(INVALID_EXPIRED_DATE.into()),
            _ => Ok(()),
        }
    }

    /// Returns the rate that the order pays. Without a rate of its own, it is the normal one.
    fn fee_bps(&self, fee: &Fee) -> Result<u16> {
        match self.fee_bps {
            None => Ok(fee.normal_fee_bps),
            Some(bps) if bps < fee.stable_fee_bps => Err(FEE_BPS_TOO_LOW.into()),
            Some(bps) if bps > MAX_FEE_BPS => Err(FEE_BPS_TOO_HIGH.into()),
            Some(bps) => Ok(bps),
        }
    }
}

fn read_optional_bps(from: &mut Reader) -> Option<Option<u16>> {
    if from.bool()? {
        from.u16().map(Some)
    } else {
        Some(None)
    }
}

/// Arguments: unique id, making amount, taking amount, and optional expiry, fee and slippage. The payer pays
/// the rent of the order and its reserve, and the maker deposits the making amount.
pub fn run(accounts: &[Account], args: &[u8]) -> Result {
    let (accounts, _) = anchor::accounts::<15>(accounts)?;
    let &[payer, maker, order, reserve, source, fee, referral, others @ ..] = accounts;
    let [input_mint, output_mint, input_program, output_program, system_program, associated_program, ..] =
        others;
    let [.., authority, own] = others;
    let params = decoded(Params::read(args))?;

    anchor::check_signer(payer, "payer")?;
    anchor::check_writable(payer, "payer")?;
    anchor::check_signer(maker, "maker")?;
    anchor::check_writable(order, "order")?;
    anchor::check_writable(reserve, "input_mint_reserve")?;
    check_token_program(input_program, "input_token_program")?;
    check_token_program(output_program, "output_token_program")?;
    check_system_program(system_program)?;
    anchor::check_program(associated_program, &[associated_token::PROGRAM], "associated_token_program")?;
    check_event_accounts(authority, own)?;
    if *fee.address() != FEE {
        return Err(anchor::CONSTRAINT_SEEDS.of("fee"));
    }
    let rates = Fee::load(fee, "fee")?;
    let token::Mint { decimals, .. } = load_mint(input_mint, input_program, "input_mint")?;
    load_mint(output_mint, output_program, "output_mint")?;
    if input_mint.is(output_mint) {
        return Err(INVALID_PAIR.into());
    }
    let expected = Expected {
        owner: maker.address(),
        mint: input_mint,
        token_program: input_program,
        error: &INVALID_INPUT_ACCOUNT,
        name: "maker_input_mint_account",
    };
    expected.check(source)?;
    let fee_account = find_fee_account(referral, output_mint, output_program)?;
    let now = Clock::get()?.unix_timestamp;
    params.check(now)?;
    let fee_bps = params.fee_bps(&rates)?;

    let unique_id = params.unique_id.to_le_bytes();
    let seeds: [&[u8]; 3] = [ORDER_SEED, &maker.address().0, &unique_id];
    let create = CreateDerived {
        payer,
        account: order,
        seeds: &seeds,
        space: ORDER_SPACE,
        program: &PROGRAM,
        owner: &PROGRAM,
        name: "order",
    };
    let bump = create.invoke()?;
    // Anybody may have opened the reserve before, so that it exists is no reason to refuse the order.
    associated_token::CreateIdempotent {
        payer,
        account: reserve,
        wallet: order,
        mint: input_mint,
        system_program,
        token_program: input_program,
    }
    .invoke()?;
    TransferChecked {
        program: input_program,
        source,
        mint: input_mint,
        destination: reserve,
        authority: maker,
        amount: params.making_amount,
        decimals,
    }
    .invoke(&[])?;

    let created = Order {
        maker: *maker.address(),
        input_mint: *input_mint.address(),
        output_mint: *output_mint.address(),
        input_token_program: *input_program.address(),
        output_token_program: *output_program.address(),
        input_mint_reserve: *reserve.address(),
        unique_id: params.unique_id,
        ori_making_amount: params.making_amount,
        ori_taking_amount: params.taking_amount,
        making_amount: params.making_amount,
        taking_amount: params.taking_amount,
        borrow_making_amount: 0,
        expired_at: params.expired_at,
        fee_bps,
        fee_account,
        created_at: now,
        updated_at: now,
        bump,
        slippage_bps: params.slippage_bps,
    };
    created.store(order)?;
    emit_create_order(authority, order.address(), &created)
}

/// Returns the account that fees are paid to: that of the referral, or else the program's own for the output,
/// which need not exist yet. Fails with InvalidOutputMint if the referral's is not a token account of the
/// output.
#[inline(never)]
fn find_fee_account(referral: Account, output_mint: Account, output_program: Account) -> Result<Address> {
    let Some(referral) = anchor::optional(referral, &PROGRAM) else {
        return associated_token::find(&FEE, output_mint.address(), output_program.address());
    };
    let tokens = TokenAccount::load(referral, "referral")?;
    if tokens.mint != *output_mint.address() || !referral.is_owned_by(output_program.address()) {
        return Err(INVALID_OUTPUT_MINT.of("referral"));
    }
    Ok(*referral.address())
}
