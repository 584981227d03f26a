import { randomUUID } from 'node:crypto';
import { NO_METRICS } from '../../src/common/ports/metrics.ts';
import type { Timers } from '../../src/common/ports/timers.ts';
import type { KeyCustody } from '../../src/custody/custody.ts';
import type { SwapMarket } from '../../src/swaps/build/swap-market.ts';
import { venueLabels } from '../../src/protocol/venue/venue.ts';
import { VENUES } from '../../src/protocols/venues.ts';
import type { Address } from '../../src/solana/address.ts';
import type { Keypair } from '../../src/solana/keypair.ts';
import { bps } from '../../src/solana/units.ts';
import type { Store } from '../../src/store/index.ts';
import { OrderEarn } from '../../src/lend/earn/order-earn.ts';
import { OrderDeposits } from '../../src/waiting-orders/deposits/order-deposits.ts';
import { OrderEdits } from '../../src/waiting-orders/edits/order-edits.ts';
import { FillPlanner } from '../../src/waiting-orders/fills/fill-planner.ts';
import type { FloorLimits } from '../../src/waiting-orders/fills/floor.ts';
import { GasBudget } from '../../src/waiting-orders/fills/gas-budget.ts';
import { readLandedFill } from '../../src/waiting-orders/fills/landed-fill.ts';
import { signFill } from '../../src/waiting-orders/fills/sign-fill.ts';
import type { FillMaker, OrderPrices } from '../../src/waiting-orders/keeper/begin-fill.ts';
import { OrderKeeper, type OrderKeeperOptions } from '../../src/waiting-orders/keeper/order-keeper.ts';
import { OrderSettlements } from '../../src/waiting-orders/landing/order-settlements.ts';
import type { OrderSale } from '../../src/waiting-orders/order-sale.ts';
import { WaitingOrderStore } from '../../src/waiting-orders/store/order-store.ts';
import { TriggerIndex } from '../../src/waiting-orders/triggers/trigger-index.ts';
import type { WaitingOrder } from '../../src/waiting-orders/waiting-order.ts';
import { OrderWithdrawals } from '../../src/waiting-orders/withdrawals/order-withdrawals.ts';
import { type CallFault, type CallTarget, FaultyCalls } from './faulty-calls.ts';
import type { OrderService } from './trading-wallet.ts';

/** What all processes share: the network, the database, the keys, and what they take for prices. */
export interface SharedParts
  extends Pick<OrderKeeperOptions, 'findHeldPrice' | 'findPrices' | 'findWatermark' | 'random'> {
  readonly market: SwapMarket;
  readonly store: Store;
  readonly custody: KeyCustody;
  readonly gasWallet: Keypair;
  readonly limits: FloorLimits;
  readonly worthInDollars: (mint: Address, atoms: bigint) => number | null;
  /** How far the clock of the orders is ahead of the one of the database. */
  readonly aheadMs: () => number;
  /** Returns US dollars for one whole token. */
  readonly priceOf: (mint: Address) => number | null;
  readonly onDefect: (where: string, error: unknown) => void;
  /** Called with the prices by which a fill is planned. */
  readonly onPlan: (sale: OrderSale, prices: OrderPrices) => void;
}

const CHAIN_CALLS: ReadonlySet<string> = new Set([
  ...[
    'getAccounts',
    'send',
    'simulate',
    'signatureStatuses',
    'searchSignature',
    'signaturesOf',
    'transaction',
  ],
]);
const STORE_CALLS: ReadonlySet<string> = new Set([
  ...['create', 'get', 'update', 'findByDepositRequest', 'openCount', 'transactionsOf', 'now'],
  ...['changedSince', 'listOpen', 'listUnfinished', 'listExpired', 'putCraft', 'getCraft', 'moveWatermarks'],
]);
const CUSTODY_CALLS: ReadonlySet<string> = new Set(['sign', 'findVault', 'coSigner']);
const BUDGET_CALLS: ReadonlySet<string> = new Set(['spend', 'giveBack']);

/** A process with the interfaces for wallets and a keeper, as an instance has them, whose connections fail. */
export class OrdersProcess {
  readonly calls: FaultyCalls;
  readonly deposits: OrderDeposits;
  readonly edits: OrderEdits;
  readonly withdrawals: OrderWithdrawals;
  readonly keeper: OrderKeeper;

  /**
   * @param timers - The clock of the process.
   * @param decide - Called for each call that leaves the process.
   */
  constructor(shared: SharedParts, timers: Timers, decide: (target: CallTarget) => CallFault | null) {
    const { market, store, worthInDollars, priceOf, onDefect } = shared;
    const { describeFailure } = market;
    const calls = new FaultyCalls(decide);
    const chain = calls.wrap(market.chain, CHAIN_CALLS, 'network');
    const network = market.chain.genesisHash;
    const orders = calls.wrap(
      new WaitingOrderStore({ store, network, historyDays: 0, aheadMs: shared.aheadMs }),
      STORE_CALLS,
      'database',
    );
    const custody = calls.wrap(shared.custody, CUSTODY_CALLS, 'database');
    const holder = randomUUID();
    const onChange = (order: WaitingOrder) => this.keeper.noteChange(order);
    const settlements = new OrderSettlements({ chain, timers, describeFailure, orders, onChange });
    this.calls = calls;
    const earn = new OrderEarn(market.pools, () => chain.clock());
    const knowledge = { hasPrice: (mint: Address) => priceOf(mint) !== null, priceOf };
    this.deposits = new OrderDeposits({
      ...knowledge,
      chain,
      describeFailure,
      custody,
      orders,
      worthInDollars,
      earn,
      limits: { maxOpen: 1_000, allowedMints: new Set() },
      settlements,
      holder,
      onCreated: onChange,
    });
    this.edits = new OrderEdits({ ...knowledge, orders, onChange });
    this.withdrawals = new OrderWithdrawals({
      earn,
      chain,
      describeFailure,
      custody,
      orders,
      settlements,
      holder,
      onChange,
    });
    this.keeper = new OrderKeeper({
      earn,
      holder,
      orders,
      chain,
      describeFailure,
      settle: (transaction) => settlements.settle(transaction, true),
      fills: createFillMaker({ ...shared, market: { ...market, chain }, custody }, calls),
      index: new TriggerIndex({ seeds: [1, 2] }),
      findHeldPrice: shared.findHeldPrice,
      findPrices: shared.findPrices,
      ...(shared.findWatermark && { findWatermark: shared.findWatermark }),
      ...(shared.random && { random: shared.random }),
      readFill: (landed, sale) => {
        const fill = readLandedFill(sale, landed);
        if (fill.kind === 'failed')
          throw new Error(`a fill of ${sale.id} failed that was said to have succeeded`);
        return fill;
      },
      timers,
      metrics: NO_METRICS,
      outage: { onFailure: () => undefined, onAnswer: () => undefined },
      onDefect,
    });
    this.keeper.start();
  }

  /** Makes a request of a client to the process. It fails when the process is killed. */
  request<T>(work: (service: OrderService) => Promise<T>): Promise<T> {
    const { deposits, edits, withdrawals } = this;
    const service: OrderService = {
      craft: (request) => deposits.craft(request),
      create: (request) => deposits.create(request),
      edit: (edit) => edits.edit(edit),
      cancel: (wallet, orderId, family) => withdrawals.cancel(wallet, orderId, family),
      confirm: (confirmation) => withdrawals.confirm(confirmation),
    };
    return Promise.race([work(service), this.calls.died]);
  }

  /** Ends a process that is not needed any more. */
  close(): void {
    this.calls.kill();
    void this.keeper.close();
  }
}

function createFillMaker(
  { market, store, custody, gasWallet, limits, onPlan }: SharedParts,
  calls: FaultyCalls,
): FillMaker {
  const planner = new FillPlanner({
    market,
    venueLabels: venueLabels(VENUES),
    gasWallet: gasWallet.address,
    limits,
    feeBps: bps(0),
  });
  const amounts = { perWallet: 1_000_000_000n, inAll: 10_000_000_000n };
  const budget = calls.wrap(new GasBudget(gasWallet.address, amounts, store), BUDGET_CALLS, 'database');
  return {
    plan: (sale, prices) => {
      onPlan(sale, prices);
      return planner.plan(sale, prices);
    },
    spend: async (wallet, lamports) => {
      const spending = await budget.spend(wallet, lamports);
      return spending.ok ? spending.charge : null;
    },
    giveBack: (charge, lamports) => void budget.giveBack(charge, lamports).catch(() => undefined),
    sign: (sale, plan) => signFill({ custody, gasWallet }, sale, plan),
  };
}
