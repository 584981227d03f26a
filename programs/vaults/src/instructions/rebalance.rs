//! Brings a vault's amounts at the liquidity program in line with those of its positions. The rebalancer pays for
//! what the vault adds to supply rates or subtracts from debts, and receives what the vault keeps.

use crate::checks::{self, same_vault, Holding, Opener, Token};
use crate::error::{
    INVALID_BORROW_MINT, INVALID_LIQUIDITY_PROGRAM, INVALID_SUPPLY_MINT, INVALID_VAULT_TYPE_FOR_OPERATE,
    NOTHING_TO_REBALANCE, NOT_REBALANCER,
};
use crate::keys::PROGRAM;
use crate::liquidity::{Leg, Payee, Payer, Side};
use crate::math::amount::Scale;
use crate::math::{div, mul, narrow, PRICE_ONE};
use crate::prices::{self, Reserves};
use crate::state::config::Config;
use crate::state::liquidity::{borrowed, SupplyPosition};
use crate::state::vault::Vault;
use sluice_program::bytes::Writer;
use sluice_program::{anchor, cpi, event, system, Account, Result};

const EVENT: [u8; 8] = anchor::event("LogRebalance");
const COUNT: usize = 21;

/// The movement of one side, in atoms. Tokens that come in are paid by the rebalancer.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Move {
    None,
    In(u64),
    Out(u64),
}

impl Move {
    /// Returns the movement that turns the present amount into the wanted one.
    fn to(wanted: u64, has: u64, raises: fn(u64) -> Self, lowers: fn(u64) -> Self) -> Self {
        if wanted > has {
            raises(wanted - has)
        } else if has > wanted {
            lowers(has - wanted)
        } else {
            Self::None
        }
    }

    fn invoke(&self, side: &Side, config: &Config, holding: &Payer) -> Result {
        match *self {
            Self::None => Ok(()),
            Self::In(amount) => side.pay_in(config, amount, holding),
            Self::Out(amount) => {
                let owner = holding.authority.address();
                side.pay_out(config, amount, &Payee { owner, account: holding.account, claim: None })
            }
        }
    }
}

/// The checked accounts, and the fields that were read from them.
struct Context<'a> {
    signer: Account<'a>,
    config: Config,
    vault: Vault,
    reserves: Reserves,
    supply: Side<'a>,
    supply_holding: Account<'a>,
    borrow: Side<'a>,
    borrow_holding: Account<'a>,
}

/// Signed by the vault's rebalancer. Returns two i128: the atoms by which supply and debt at the liquidity program
/// changed.
pub fn run(accounts: &[Account]) -> Result {
    let context = Context::check(accounts)?;
    let (config, vault) = (&context.config, &context.vault);
    let prices = prices::current(vault, config, &context.reserves)?;
    let supplied = worth(SupplyPosition::load(context.supply.position)?.amount, prices.liquidity_supply)?;
    let owed = worth(borrowed(context.borrow.position)? as u128, prices.liquidity_borrow)?;
    let due = atoms(worth(vault.total_supply as u128, prices.vault_supply)?, &context.supply.token)?;
    let lent = atoms(worth(vault.total_borrow as u128, prices.vault_borrow)?, &context.borrow.token)?;
    let supply = Move::to(due, supplied, Move::In, Move::Out);
    let borrow = Move::to(lent, owed, Move::Out, Move::In);
    if supply == Move::None && borrow == Move::None {
        return Err(NOTHING_TO_REBALANCE.into());
    }
    let authority = context.signer;
    supply.invoke(&context.supply, config, &Payer { authority, account: context.supply_holding })?;
    borrow.invoke(&context.borrow, config, &Payer { authority, account: context.borrow_holding })?;
    finish(due as i128 - supplied as i128, lent as i128 - owed as i128)
}

impl<'a> Context<'a> {
    #[inline(never)]
    fn check(accounts: &[Account<'a>]) -> Result<Self> {
        let (named, _) = anchor::accounts::<COUNT>(accounts)?;
        let at = |index: usize| named[index];
        let (signer, config_account, program) = (at(0), at(3), at(14));
        anchor::check_signer(signer, "rebalancer")?;
        let supply_token = Token::load(at(5), at(18), "supply_token")?;
        let borrow_token = Token::load(at(6), at(19), "borrow_token")?;
        let (supply_holding, borrow_holding) = (at(1), at(2));
        open_holdings(named, &supply_token, &borrow_token)?;
        let config = Config::load(config_account)?;
        let vault = Vault::load_writable(at(4))?;
        checks::require(config.supply_token == *at(5).address(), INVALID_SUPPLY_MINT)?;
        checks::require(config.borrow_token == *at(6).address(), INVALID_BORROW_MINT)?;
        checks::require(config.rebalancer == *signer.address(), NOT_REBALANCER)?;
        same_vault(config.vault_id, vault.vault_id)?;
        checks::require(config.liquidity_program == *program.address(), INVALID_LIQUIDITY_PROGRAM)?;
        checks::require(config.vault_type == 0, INVALID_VAULT_TYPE_FOR_OPERATE)?;
        let reserves = checks::reserves(&config, at(7), at(8))?;
        let supply = Side {
            leg: Leg::Supply,
            vault: config_account,
            token: supply_token,
            reserve: at(7),
            position: at(9),
            rate_model: at(11),
            reserve_vault: at(15),
            liquidity: at(13),
            program,
        };
        let borrow = Side {
            leg: Leg::Borrow,
            token: borrow_token,
            reserve: at(8),
            position: at(10),
            rate_model: at(12),
            reserve_vault: at(16),
            ..supply
        };
        Ok(Self { signer, config, vault, reserves, supply, supply_holding, borrow, borrow_holding })
    }
}

/// Creates the rebalancer's token accounts if they do not exist.
#[inline(never)]
fn open_holdings<'a>(accounts: &[Account<'a>; COUNT], supply: &Token<'a>, borrow: &Token<'a>) -> Result {
    let (owner, system_program) = (accounts[0], accounts[17]);
    anchor::check_program(system_program, &[system::PROGRAM], "system_program")?;
    let associated_token_program = anchor::optional(accounts[20], &PROGRAM);
    let opener = Opener { payer: owner, associated_token_program, system_program };
    let name = "rebalancer_supply_token_account";
    Holding { account: accounts[1], owner, token: supply, name }.open(&opener)?;
    let name = "rebalancer_borrow_token_account";
    Holding { account: accounts[2], owner, token: borrow, name }.open(&opener)
}

/// Converts units of nine decimals to atoms, rounded down.
fn atoms(units: u64, token: &Token) -> Result<u64> {
    narrow(Scale::of(token.decimals)?.down(units as u128)?)
}

fn worth(raw: u128, price: u64) -> Result<u64> {
    narrow(div(mul(raw, price as u128)?, PRICE_ONE)?)
}

#[inline(always)]
fn finish(supply: i128, debt: i128) -> Result {
    event::log(&EVENT, |event| {
        event.u128(supply as u128)?;
        event.u128(debt as u128)
    })?;
    let mut data = [0; 32];
    let mut to = Writer::new(&mut data);
    to.u128(supply as u128)?;
    to.u128(debt as u128)?;
    cpi::set_return_data(&data);
    Ok(())
}
