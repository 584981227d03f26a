//! What fills of both directions have in common.

use sluice_program::anchor::{self, decoded};
use sluice_program::bytes::Reader;
use sluice_program::layout::{self, Field};
use sluice_program::math::widening_mul;
use sluice_program::sysvar::Clock;
use sluice_program::{Account, Result};

use crate::accounts::{MarketResult, OptionalVenueId, Order, OrderTotals, Status, VenueId};
use crate::checks::{check_order_tokens, check_tokens};
use crate::errors::{
    FILL_PRICE_EXCEEDS_LIMIT, INVALID_FEE, INVALID_FILL, INVALID_FILL_PRICE,
    INVALID_INTEGRATOR_TOKEN_ACCOUNT, INVALID_ORDER, INVALID_OWNER, INVALID_POSITION_OWNER,
    INVALID_STATUS_TRANSITION, MARKET_ALREADY_SETTLED, PAYOUT_ALREADY_CLAIMED, TRADING_DISABLED,
};
use crate::events::{emit_position_updated, FillEvent, OrderEvent};
use crate::math::{mul_div_ceil, mul_div_floor, sum, BPS};
use crate::position::{check_position, Position};
use crate::vault::{check_vault_tokens, Vault, VaultPayout, ONE, PROGRAM};

/// The arguments of a fill.
pub struct FillArgs {
    pub contracts: u64,
    /// The cost of a purchase, or what a sale brings before fees.
    pub amount: u64,
    pub venue_fee: u64,
    pub order_id: Option<VenueId>,
}

impl FillArgs {
    /// Fails with InstructionDidNotDeserialize.
    #[inline(never)]
    pub fn read(from: &mut Reader) -> Result<Self> {
        Ok(Self {
            contracts: decoded(from.u64())?,
            amount: decoded(from.u64())?,
            venue_fee: decoded(from.u64())?,
            order_id: decoded(OptionalVenueId::read(from))?,
        })
    }
}

/// The fees of a fill.
pub struct Fees {
    pub venue: u64,
    pub protocol: u64,
    pub integrator: u64,
}

/// The accounts of a fill.
pub struct Fill<'a> {
    pub keeper: Account<'a>,
    pub vault: Account<'a>,
    pub position: Account<'a>,
    pub order: Account<'a>,
    pub vault_tokens: Account<'a>,
    pub order_tokens: Account<'a>,
    pub integrator_tokens: Option<Account<'a>>,
    pub token_program: Account<'a>,
}

/// The states that a fill changes, and when it does.
pub struct FillStates {
    pub now: i64,
    pub vault: Vault,
    pub position: Position,
    pub order: Order,
}

impl<'a> Fill<'a> {
    /// Checks the signers and accounts, and reads the states.
    #[inline(never)]
    pub fn open(accounts: &[Account<'a>], is_buy: bool) -> Result<(Self, FillStates)> {
        let (accounts, _) = anchor::accounts::<11>(accounts)?;
        let &[keeper, cosigner, owner, vault, position, order, vault_tokens, order_tokens, rest @ ..] =
            accounts;
        let [integrator_tokens, token_program, result] = rest;
        let vault_state = Vault::load(vault)?;
        vault_state.check_keeper(keeper)?;
        vault_state.check_cosigner(cosigner)?;
        if vault_state.trading_disabled {
            return Err(TRADING_DISABLED.into());
        }
        anchor::check_writable(vault, "vault")?;
        anchor::check_writable(order, "order")?;
        check_vault_tokens(vault_tokens, token_program)?;
        let order_state = open_order(order, owner, is_buy)?;
        check_order_tokens(order_tokens, order.address())?;
        let position_state = open_position(position, &order_state)?;
        MarketResult::check_address(result, &order_state.market_id)?;
        if result.is_owned_by(&PROGRAM) {
            return Err(MARKET_ALREADY_SETTLED.of("market_result"));
        }
        let fill = Self {
            keeper,
            vault,
            position,
            order,
            vault_tokens,
            order_tokens,
            integrator_tokens: anchor::optional(integrator_tokens, &PROGRAM),
            token_program,
        };
        let now = Clock::get()?.unix_timestamp;
        Ok((fill, FillStates { now, vault: vault_state, position: position_state, order: order_state }))
    }

    /// Returns the accounts by which tokens leave the vault.
    pub fn payout(&self) -> VaultPayout<'a> {
        VaultPayout { vault: self.vault, tokens: self.vault_tokens, token_program: self.token_program }
    }

    /// Returns the account of the integrator, if it gets a fee. Fails with InvalidIntegratorTokenAccount if it is left
    /// out although there is a fee, or given although there is none.
    #[inline(never)]
    pub fn integrator(&self, order: &Order, fee: u64) -> Result<Option<Account<'a>>> {
        match (self.integrator_tokens, order.integrator_fee_bps > 0) {
            (None, false) => Ok(None),
            (Some(tokens), true) => {
                check_tokens(tokens, &order.integrator, "integrator_token_account")
                    .map_err(|_| INVALID_INTEGRATOR_TOKEN_ACCOUNT.of("integrator_token_account"))?;
                Ok(if fee > 0 { Some(tokens) } else { None })
            }
            _ => Err(INVALID_INTEGRATOR_TOKEN_ACCOUNT.of("integrator_token_account")),
        }
    }

    /// Writes the states, and emits the events.
    #[inline(never)]
    pub fn finish(&self, states: &FillStates, totals: &OrderTotals, figures: &FillEvent) -> Result {
        layout::store(&states.vault, self.vault)?;
        layout::store(&states.position, self.position)?;
        states.order.store(totals, self.order)?;
        let (address, by) = (self.order.address(), self.keeper.address());
        OrderEvent { address, order: &states.order, by, now: states.now }.filled(figures)?;
        emit_position_updated(self.position.address(), &states.position, states.now)
    }
}

#[inline(never)]
fn open_order(account: Account, owner: Account, is_buy: bool) -> Result<Order> {
    let order = Order::load(account)?;
    if order.owner != *owner.address() {
        return Err(INVALID_OWNER.of("owner"));
    }
    if order.is_buy != is_buy {
        return Err(INVALID_ORDER.of("order"));
    }
    if !order.is_open() {
        return Err(INVALID_STATUS_TRANSITION.of("order"));
    }
    Ok(order)
}

#[inline(never)]
fn open_position(account: Account, order: &Order) -> Result<Position> {
    check_position(account, &order.position)?;
    let position = Position::load(account)?;
    if position.owner != order.owner {
        return Err(INVALID_POSITION_OWNER.of("position"));
    }
    if position.payout_claimed {
        return Err(PAYOUT_ALREADY_CLAIMED.of("position"));
    }
    Ok(position)
}

impl FillStates {
    /// Checks that the fill is no more than the order asks for, that its price is one that the order accepts and none
    /// above what a contract can pay, and returns its fees.
    #[inline(never)]
    pub fn check(&self, args: &FillArgs) -> Result<Fees> {
        let order = &self.order;
        // An order never has more filled contracts than contracts.
        let left = order.contracts.saturating_sub(order.filled_contracts);
        if args.contracts == 0 || args.amount == 0 || args.contracts > left {
            return Err(INVALID_FILL.into());
        }
        if args.amount > args.contracts {
            return Err(INVALID_FILL_PRICE.into());
        }
        let amount = widening_mul(args.amount, ONE);
        let limit = widening_mul(args.contracts, order.limit_price);
        if if order.is_buy { amount > limit } else { amount < limit } {
            return Err(FILL_PRICE_EXCEEDS_LIMIT.into());
        }
        // Neither does a purchase with its fee cost more than the contracts can pay, nor a sale less than nothing.
        let most = if order.is_buy { args.contracts - args.amount } else { args.amount };
        if args.venue_fee > most {
            return Err(INVALID_FEE.into());
        }
        Ok(Fees {
            venue: args.venue_fee,
            protocol: mul_div_ceil(args.amount, self.vault.protocol_fee_bps as u64, BPS)?,
            integrator: mul_div_floor(args.amount, order.integrator_fee_bps as u64, BPS)?,
        })
    }

    /// Counts the fill in the order, and returns what all of its fills came to.
    #[inline(never)]
    pub fn count(&mut self, args: &FillArgs, fees: &Fees, before: &OrderTotals) -> Result<OrderTotals> {
        let totals = OrderTotals {
            amount: sum(&[before.amount, args.amount])?,
            fees: sum(&[before.fees, fees.venue, fees.protocol, fees.integrator])?,
        };
        let order = &mut self.order;
        order.filled_contracts = sum(&[order.filled_contracts, args.contracts])?;
        order.average_price = mul_div_floor(totals.amount, ONE, order.filled_contracts)?;
        order.filled_at = self.now;
        order.status =
            if order.filled_contracts == order.contracts { Status::Filled } else { Status::PartiallyFilled };
        if let Some(id) = args.order_id {
            order.order_id = Some(id);
        }
        Ok(totals)
    }
}
