import { randomBytes, randomUUID } from 'node:crypto';
import type { Metrics } from '../../common/ports/metrics.ts';
import { repeatWithPauses, type Timers, waitWithin } from '../../common/ports/timers.ts';
import type { KeyCustody } from '../../custody/custody.ts';
import type { LiveMarketData } from '../../market-data/live-market-data.ts';
import type { Address } from '../../solana/address.ts';
import type { Bps } from '../../solana/units.ts';
import type { Store } from '../../store/index.ts';
import type { SwapMarket } from '../../swaps/build/swap-market.ts';
import { OrderDeposits } from '../deposits/order-deposits.ts';
import type { PriceKnowledge } from '../deposits/price-checks.ts';
import { OrderEdits } from '../edits/order-edits.ts';
import { readLandedFill } from '../fills/landed-fill.ts';
import type { EarnProgram } from '../earning/earn-program.ts';
import { EarnYields } from '../earning/earn-yield.ts';
import { FillPlanner, type FillPlannerDependencies } from '../fills/fill-planner.ts';
import type { FloorLimits } from '../fills/floor.ts';
import type { GasWallet } from '../fills/gas-wallet.ts';
import { createFillMaker, UNPAID_FILLS } from '../keeper/create-fill-maker.ts';
import { OrderKeeper } from '../keeper/order-keeper.ts';
import { OrderSettlements } from '../landing/order-settlements.ts';
import { ReferencePrices } from '../references/reference-prices.ts';
import { WaitingOrderStore } from '../store/order-store.ts';
import { TriggerIndex } from '../triggers/trigger-index.ts';
import type { WaitingOrder } from '../waiting-order.ts';
import { OrderWithdrawals } from '../withdrawals/order-withdrawals.ts';
import { findOrderPrices } from './order-prices.ts';
import { findTrailedPrice } from './trailed-price.ts';

/** How often it is looked for rows that are kept no longer. */
const REMOVE_EVERY_MS = 10 * 60_000;

/** How long the start waits until the open orders are read. */
const MAX_FIRST_READ_MS = 2_000;

/** The settings of orders that wait. */
export interface WaitingOrderLimits extends FloorLimits {
  /** Orders that one wallet may have waiting at once. */
  readonly maxOpen: number;
  /** Slots for which a price has to hold. */
  readonly holdSlots: number;
  /** Days for which orders are kept after they have ended; 0 for ever. */
  readonly historyDays: number;
  /** Mints that are taken whatever their issuers can do. */
  readonly allowedMints: ReadonlySet<Address>;
  /** Platform fee of each fill. */
  readonly feeBps: Bps;
}

export interface WaitingOrdersOptions {
  readonly store: Store;
  readonly market: SwapMarket & Pick<FillPlannerDependencies, 'venueLabels'>;
  readonly marketData: Pick<LiveMarketData, 'watch' | 'plainPrice'>;
  readonly custody: KeyCustody;
  /** Lends the input of recurring orders out while they wait. */
  readonly earn: EarnProgram;
  /** Pays for fills. Null when nobody does: then orders are taken, and wait for gas. */
  readonly gasWallet: GasWallet | null;
  readonly limits: WaitingOrderLimits;
  /** Whether this process fills orders and finishes what others left. */
  readonly isKeeper: boolean;
  /** Returns how many milliseconds the clock of the network is ahead of this machine's. */
  readonly aheadMs: () => number;
  readonly timers: Timers;
  readonly metrics: Metrics;
  /** Called when the store or the network does not answer a keeper, and when they do. */
  readonly outage: { readonly onFailure: (error: unknown) => void; readonly onAnswer: () => void };
  readonly onDefect: (where: string, error: unknown) => void;
}

/** Orders that wait for a price: what a product offers of them, and the keeper that fills them. */
export interface WaitingOrders {
  readonly orders: WaitingOrderStore;
  readonly custody: KeyCustody;
  readonly deposits: OrderDeposits;
  readonly edits: OrderEdits;
  readonly withdrawals: OrderWithdrawals;
  readonly yields: EarnYields;
  readonly earn: EarnProgram;
  /** Returns why orders are not filled by this process; null when they are, or when it is not a keeper. */
  readonly unhealthy: () => string | null;
  /** Begins no further fill. Resolves when none is on its way. */
  readonly drain: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Opens the orders that wait, and begins to fill them if this process is a keeper. */
export async function openWaitingOrders(options: WaitingOrdersOptions): Promise<WaitingOrders> {
  const { store, market, custody, earn, limits, timers, onDefect } = options;
  const { chain, prices, describeFailure } = market;
  const { historyDays } = limits;
  const orders = new WaitingOrderStore({
    store,
    network: chain.genesisHash,
    historyDays,
    aheadMs: options.aheadMs,
    onUnreadable: (id, error) => onDefect(`the order ${id} cannot be read`, error),
  });
  const holder = randomUUID();
  let keeper: OrderKeeper | null = null;
  const onChange = (order: WaitingOrder) => keeper?.noteChange(order);
  const settlements = new OrderSettlements({ chain, timers, describeFailure, orders, onChange });
  const moved = { chain, describeFailure, custody, orders, earn, settlements, holder };
  const knowledge: PriceKnowledge = {
    hasPrice: (mint) => prices.deepDollarsPerAtom(mint) !== null,
    priceOf: (mint) => options.marketData.plainPrice(mint)?.usdPrice ?? null,
  };
  const deposits = new OrderDeposits({
    ...moved,
    ...knowledge,
    worthInDollars: (mint, atoms) => prices.worthInDollars(mint, atoms),
    limits,
    onCreated: onChange,
  });
  const withdrawals = new OrderWithdrawals({ ...moved, onChange });
  const yields = new EarnYields({
    chain,
    earn,
    dollarsPerAtom: (mint) => prices.dollarsPerAtom(mint),
    now: () => timers.now(),
  });
  const edits = new OrderEdits({ ...knowledge, orders, onChange });
  const stops: (() => void)[] = [];
  if (options.isKeeper) {
    const opened = openKeeper(options, { orders, holder, settlements });
    keeper = opened.keeper;
    stops.push(opened.stop);
    // A few are read at once. Many are read while requests are answered already.
    await waitWithin(keeper.start(), MAX_FIRST_READ_MS, timers);
  }
  let isStopped = false;
  const remove = async () => orders.removeOld(await orders.now(), () => isStopped);
  stops.push(
    repeatWithPauses(REMOVE_EVERY_MS, remove, timers, (error) =>
      onDefect('old orders cannot be removed', error),
    ),
  );
  return {
    orders,
    custody,
    deposits,
    edits,
    withdrawals,
    yields,
    earn,
    unhealthy: () => keeper?.unhealthy() ?? null,
    drain: async () => keeper?.drain(),
    close: async () => {
      isStopped = true;
      await keeper?.close();
      for (const stop of stops.splice(0)) stop();
    },
  };
}

interface KeeperParts {
  readonly orders: WaitingOrderStore;
  readonly holder: string;
  readonly settlements: OrderSettlements;
}

function openKeeper(
  options: WaitingOrdersOptions,
  { orders, holder, settlements }: KeeperParts,
): { readonly keeper: OrderKeeper; readonly stop: () => void } {
  const { market, marketData, custody, earn, gasWallet, limits, timers, metrics, outage, onDefect } = options;
  const { chain, describeFailure } = market;
  const references = new ReferencePrices({
    marketData,
    chain,
    holdSlots: limits.holdSlots,
    timers,
    onDefect,
  });
  const { venueLabels } = market;
  const fills =
    gasWallet === null
      ? UNPAID_FILLS
      : createFillMaker({
          planner: new FillPlanner({
            market,
            venueLabels,
            gasWallet: gasWallet.keypair.address,
            isGasEmpty: () => gasWallet.isEmpty(),
            limits,
            feeBps: limits.feeBps,
          }),
          gasWallet,
          custody,
          onDefect,
        });
  const keeper = new OrderKeeper({
    holder,
    orders,
    chain,
    earn,
    fills,
    describeFailure,
    readFill: (landed, sale) => {
      const outcome = readLandedFill(sale, landed);
      if (outcome.kind === 'failed') throw new Error(`the fill ${landed.signature} has not succeeded`);
      return outcome;
    },
    settle: (transaction) => settlements.settle(transaction, true),
    index: new TriggerIndex({
      seeds: [randomBytes(4).readInt32LE(), randomBytes(4).readInt32LE()],
      onMint: (mint, isNamed) => (isNamed ? references.follow(mint) : references.unfollow(mint)),
    }),
    findHeldPrice: (mint) => references.held(mint),
    findPrices: (order) => findOrderPrices(references, order),
    findWatermark: (mint, condition) => findTrailedPrice(references, mint, condition),
    timers,
    metrics,
    outage,
    onDefect,
  });
  const stopTicks = references.onTick((mint) => keeper.notePrice(mint));
  return {
    keeper,
    stop: () => {
      stopTicks();
      references.close();
    },
  };
}
