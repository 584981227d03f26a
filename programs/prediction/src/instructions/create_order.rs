//! The instruction `create_order`.

use sluice_program::anchor::{self, decoded, CreateDerived};
use sluice_program::bytes::Reader;
use sluice_program::sysvar::Clock;
use sluice_program::token::Transfer;
use sluice_program::{associated_token, cpi, layout, system, token, Account, Address, Result};

use crate::accounts::{ExternalId, Order, OrderTotals, Status, ORDER_SEED, ORDER_SPACE};
use crate::checks::{check_order_tokens, check_tokens};
use crate::errors::{
    CONTRACTS_BELOW_MINIMUM, DEPOSITS_DISABLED, DEPOSIT_BELOW_MINIMUM, DEPOSIT_NOT_ALLOWED_FOR_SELLS,
    INSUFFICIENT_CONTRACTS, INSUFFICIENT_FUNDS, INVALID_ARGUMENT, INVALID_FILL_PRICE, INVALID_INTEGRATOR_FEE,
    INVALID_ORDER, INVALID_POSITION, MATH_OVERFLOW, PAYOUT_ALREADY_CLAIMED, POSITION_MAX_CONTRACTS_EXCEEDED,
    TOO_MANY_OPEN_ORDERS, TRADING_DISABLED,
};
use crate::events::OrderEvent;
use crate::position::{check_position, Position, POSITION_SEED, POSITION_SPACE};
use crate::text::MarketId;
use crate::vault::{check_mint, Vault, ONE, PROGRAM, UNIT_VERSION};

/// The smallest order: a hundredth of a contract.
const MIN_CONTRACTS: u64 = ONE / 100;
/// The smallest deposit.
const MIN_DEPOSIT: u64 = ONE;
/// The highest share of an integrator: a tenth.
const MAX_INTEGRATOR_BPS: u16 = 1_000;

struct Args {
    external_id: ExternalId,
    market_id: MarketId,
    is_yes: bool,
    is_buy: bool,
    contracts: u64,
    limit_price: u64,
    deposit: u64,
    is_limit: bool,
    integrator: Option<Address>,
    integrator_fee_bps: Option<u16>,
}

impl Args {
    /// Fails with InstructionDidNotDeserialize, or with InvalidArgument for texts that are no ids.
    #[inline(never)]
    fn read(from: &mut Reader) -> Result<Self> {
        let (external_id, market_id) = decoded(from.prefixed().zip(from.prefixed()))?;
        let external_id = ExternalId::parse(external_id).filter(|id| !id.is_empty());
        let market_id = MarketId::parse(market_id);
        Ok(Self {
            is_yes: decoded(from.bool())?,
            is_buy: decoded(from.bool())?,
            contracts: decoded(from.u64())?,
            limit_price: decoded(from.u64())?,
            deposit: decoded(from.u64())?,
            is_limit: decoded(from.bool())?,
            integrator: if decoded(from.bool())? { Some(decoded(from.address())?) } else { None },
            integrator_fee_bps: if decoded(from.bool())? { Some(decoded(from.u16())?) } else { None },
            external_id: external_id.ok_or(INVALID_ARGUMENT)?,
            market_id: market_id.ok_or(INVALID_ARGUMENT)?,
        })
    }

    /// Checks what the arguments say by themselves.
    #[inline(never)]
    fn check(&self, vault: &Vault) -> Result {
        if vault.trading_disabled {
            return Err(TRADING_DISABLED.into());
        }
        if self.contracts < MIN_CONTRACTS {
            return Err(CONTRACTS_BELOW_MINIMUM.into());
        }
        // A contract never pays more than one, so nobody buys above it. Any price is good enough for a sale at 0.
        if self.limit_price > ONE || self.is_buy && self.limit_price == 0 {
            return Err(INVALID_FILL_PRICE.into());
        }
        if self.is_buy && vault.deposits_disabled {
            return Err(DEPOSITS_DISABLED.into());
        }
        if self.is_buy && self.deposit < MIN_DEPOSIT {
            return Err(DEPOSIT_BELOW_MINIMUM.into());
        }
        if !self.is_buy && self.deposit != 0 {
            return Err(DEPOSIT_NOT_ALLOWED_FOR_SELLS.into());
        }
        let is_fair = match (&self.integrator, self.integrator_fee_bps) {
            (None, None) => true,
            (Some(integrator), Some(bps)) => {
                *integrator != Address::ZERO && bps > 0 && bps <= MAX_INTEGRATOR_BPS
            }
            _ => false,
        };
        if is_fair {
            Ok(())
        } else {
            Err(INVALID_INTEGRATOR_FEE.into())
        }
    }
}

/// The accounts that the instruction creates, and who pays for them.
struct Creation<'a> {
    payer: Account<'a>,
    owner: Account<'a>,
    position: Account<'a>,
    order: Account<'a>,
    source: Account<'a>,
    mint: Account<'a>,
    order_tokens: Account<'a>,
    token_program: Account<'a>,
    system_program: Account<'a>,
}

/// The deposit of a purchase moves into the order. A sale moves nothing until it is filled.
pub fn run(accounts: &[Account], args: &[u8]) -> Result {
    let (accounts, _) = anchor::accounts::<12>(accounts)?;
    let &[payer, owner, authority, vault, position, order, source, mint, order_tokens, programs @ ..] =
        accounts;
    let [token_program, associated_program, system_program] = programs;
    let args = Args::read(&mut Reader::new(args))?;
    anchor::check_signer(payer, "payer")?;
    anchor::check_writable(payer, "payer")?;
    anchor::check_signer(owner, "owner")?;
    anchor::check_program(token_program, &[token::PROGRAM], "token_program")?;
    anchor::check_program(associated_program, &[associated_token::PROGRAM], "associated_token_program")?;
    anchor::check_program(system_program, &[system::PROGRAM], "system_program")?;
    check_mint(mint)?;
    let vault = Vault::load(vault)?;
    vault.check_authority(authority)?;
    args.check(&vault)?;
    let creation =
        Creation { payer, owner, position, order, source, mint, order_tokens, token_program, system_program };
    let now = Clock::get()?.unix_timestamp;
    creation.open_position(&args, &vault, now)?;
    let state = creation.create_order(&args, now)?;
    creation.create_tokens()?;
    if args.is_buy {
        creation.deposit(args.deposit)?;
    }
    OrderEvent { address: order.address(), order: &state, by: owner.address(), now }.created(args.deposit)
}

impl Creation<'_> {
    /// Counts the order in the position, which is created where it is missing.
    #[inline(never)]
    fn open_position(&self, args: &Args, vault: &Vault, now: i64) -> Result {
        let mut position = if self.position.is_owned_by(&system::PROGRAM) {
            self.create_position(args, now)?
        } else {
            Position::load(self.position)?
        };
        let fits = position.owner == *self.owner.address()
            && position.market_id == args.market_id
            && position.is_yes == args.is_yes;
        if !fits {
            return Err(INVALID_POSITION.of("position"));
        }
        check_position(self.position, self.position.address())?;
        if position.payout_claimed {
            return Err(PAYOUT_ALREADY_CLAIMED.of("position"));
        }
        if args.is_buy {
            let most = position.contracts.checked_add(args.contracts).ok_or(MATH_OVERFLOW)?;
            if most > vault.position_max_contracts {
                return Err(POSITION_MAX_CONTRACTS_EXCEEDED.into());
            }
        } else if args.contracts > position.contracts {
            return Err(INSUFFICIENT_CONTRACTS.of("position"));
        }
        position.open_orders = position.open_orders.checked_add(1).ok_or(MATH_OVERFLOW)?;
        if position.open_orders > vault.position_max_orders {
            return Err(TOO_MANY_OPEN_ORDERS.into());
        }
        layout::store(&position, self.position)
    }

    /// Creates an empty position. Fails with InsufficientContracts for a sale, which needs one with contracts.
    #[inline(never)]
    fn create_position(&self, args: &Args, now: i64) -> Result<Position> {
        if !args.is_buy {
            return Err(INSUFFICIENT_CONTRACTS.of("position"));
        }
        let owner = *self.owner.address();
        let bump = CreateDerived {
            payer: self.payer,
            account: self.position,
            seeds: &[POSITION_SEED, &args.market_id.0, &owner.0, &[args.is_yes as u8]],
            space: POSITION_SPACE,
            program: &PROGRAM,
            owner: &PROGRAM,
            name: "position",
        }
        .invoke()?;
        Ok(Position {
            owner,
            market_id: args.market_id,
            is_yes: args.is_yes,
            payout_claimed: false,
            payout_claimed_usd: 0,
            opened_at: now,
            contracts: 0,
            total_cost: 0,
            open_orders: 0,
            fees_paid: 0,
            realized_pnl: 0,
            updated_at: now,
            bump,
            unit_version: UNIT_VERSION,
            payer: *self.payer.address(),
        })
    }

    #[inline(never)]
    fn create_order(&self, args: &Args, now: i64) -> Result<Order> {
        if self.order.is_owned_by(&PROGRAM) {
            return Err(INVALID_ORDER.of("order"));
        }
        let owner = *self.owner.address();
        let bump = CreateDerived {
            payer: self.payer,
            account: self.order,
            seeds: &[ORDER_SEED, &owner.0, args.external_id.bytes()],
            space: ORDER_SPACE,
            program: &PROGRAM,
            owner: &PROGRAM,
            name: "order",
        }
        .invoke()?;
        let order = Order {
            owner,
            position: *self.position.address(),
            status: Status::Pending,
            market_id: args.market_id,
            is_yes: args.is_yes,
            is_buy: args.is_buy,
            created_at: now,
            contracts: args.contracts,
            limit_price: args.limit_price,
            filled_at: 0,
            filled_contracts: 0,
            average_price: 0,
            order_id: None,
            external_id: args.external_id,
            bump,
            is_limit: args.is_limit,
            payer: *self.payer.address(),
            integrator: args.integrator.unwrap_or(Address::ZERO),
            integrator_fee_bps: args.integrator_fee_bps.unwrap_or(0),
            unit_version: UNIT_VERSION,
        };
        order.store(&OrderTotals::default(), self.order)?;
        Ok(order)
    }

    /// Creates the order's token account. Where somebody has created it before, it is taken as it is: only the
    /// order can move what it holds.
    #[inline(never)]
    fn create_tokens(&self) -> Result {
        check_order_tokens(self.order_tokens, self.order.address())?;
        if self.order_tokens.data_len() > 0 {
            return check_tokens(self.order_tokens, self.order.address(), "order_ata").map(|_| ());
        }
        let accounts = [
            self.payer.writable_signer(),
            self.order_tokens.writable(),
            self.order.readonly(),
            self.mint.readonly(),
            self.system_program.readonly(),
            self.token_program.readonly(),
        ];
        // The instruction `Create`, which is not the idempotent one.
        cpi::invoke(&associated_token::PROGRAM, &accounts, &[0], &[])
    }

    #[inline(never)]
    fn deposit(&self, amount: u64) -> Result {
        if check_tokens(self.source, self.owner.address(), "owner_token_account")? < amount {
            return Err(INSUFFICIENT_FUNDS.of("owner_token_account"));
        }
        Transfer {
            program: self.token_program,
            source: self.source,
            destination: self.order_tokens,
            authority: self.owner,
            amount,
        }
        .invoke(&[])
    }
}
