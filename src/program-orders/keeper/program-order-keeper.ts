import type { Leases } from '../../common/ports/leases.ts';
import type { Metrics } from '../../common/ports/metrics.ts';
import { repeatFromNow, type Timers, waitWithin } from '../../common/ports/timers.ts';
import type { Address } from '../../solana/address.ts';
import type { GasWallet } from '../../waiting-orders/fills/gas-wallet.ts';
import type { GasCharge } from '../../waiting-orders/fills/gas-budget.ts';
import { KeeperLead } from '../../waiting-orders/keeper/keeper-lead.ts';
import { StoppableTimers } from '../../waiting-orders/keeper/stoppable-timers.ts';
import { WalletPlaces } from '../../waiting-orders/keeper/wallet-places.ts';
import { AlternatingTurns } from '../../waiting-orders/keeper/wallet-turns.ts';
import type { ReferencePrices } from '../../waiting-orders/references/reference-prices.ts';
import { DCA_PROGRAM } from '../../protocols/jupiter-dca/dca-program.ts';
import { LIMIT_ORDER_PROGRAM } from '../../protocols/jupiter-limit-order/program.ts';
import type { OrderProgram } from '../program-order.ts';
import { DcaPermission } from './dca-permission.ts';
import { computeFailedDelay, computeOrderDelay } from './order-delays.ts';
import { createOrderGas, type OrderGas } from '../../waiting-orders/fills/order-gas.ts';
import { type FollowedOrder, getOrderWallet } from './orders/followed-order.ts';
import { KeeperOrders } from './orders/keeper-orders.ts';
import { followOrderAccounts } from './orders/order-accounts.ts';
import type { PlannedTask } from './plan/order-plan.ts';
import { ProgramOrderPlanner } from './plan/order-planner.ts';
import type { OrderWait } from './plan/order-put-off.ts';
import type { OrderPlanDependencies } from './plan/plan-dependencies.ts';
import { createProgramOrderMetrics, type ProgramOrderMetrics } from './program-order-metrics.ts';
import { type EndedTask, runTask } from './run-task.ts';

/** The lease of the one keeper that works on the orders of programs. */
const LEASE = 'program-order-keeper';
/** How often the keeper looks for orders whose time has come. */
export const PROGRAM_ROUND_MS = 500;
/** Transactions that are planned at a time. */
const MAX_WORKED = 16;
/** Transactions that are sent and wait for the chain. Further ones are not begun. */
const MAX_IN_FLIGHT = 256;
/** Pairs whose estimates are compared with their orders at once. */
const MAX_PAIRS = 512;
/** How long it takes at most to end what is being planned. */
const MAX_LAST_WORK_MS = 10_000;

export interface ProgramOrderKeeperOptions
  extends Pick<OrderPlanDependencies, 'market' | 'venueLabels' | 'dcaKeeper' | 'limits' | 'venues'> {
  /** Pays for all transactions, within its budget, and fills limit orders. */
  readonly gasWallet: Pick<GasWallet, 'keypair' | 'budget' | 'isEmpty'>;
  readonly references: Pick<ReferencePrices, 'follow' | 'unfollow' | 'median' | 'onTick'>;
  /** By which one of several keepers leads. Null for a keeper that is alone. */
  readonly leases: Leases | null;
  readonly timers: Timers;
  readonly metrics: Metrics;
  /** Transactions that are sent and wait for the chain at a time. Default: 256. */
  readonly maxInFlight?: number;
  /** Called when the store or the chain does not answer, and when they do. */
  readonly outage: { readonly onFailure: (error: unknown) => void; readonly onAnswer: () => void };
  readonly onDefect: (where: string, error: unknown) => void;
}

/**
 * Fills the orders that wait in the programs of limit orders and of DCA orders, through the aggregator. The chain has the whole
 * state: nothing is recorded but the gas, and what a keeper leaves unfinished another one sees on the chain.
 */
export class ProgramOrderKeeper {
  readonly #options: ProgramOrderKeeperOptions;
  readonly #timers: StoppableTimers;
  readonly #orders: KeeperOrders;
  readonly #planner: ProgramOrderPlanner;
  readonly #gas: OrderGas;
  readonly #lead: KeeperLead;
  readonly #permission: DcaPermission;
  readonly #metrics: ProgramOrderMetrics;
  readonly #turns = new AlternatingTurns<Address>();
  readonly #working = new Set<Promise<void>>();
  readonly #inFlight = new Map<Address, Promise<void>>();
  /** Orders that do not land cost their owner nothing, so one wallet could take all places for them. */
  readonly #places: WalletPlaces;
  readonly #maxInFlight: number;
  readonly #stops: (() => void)[] = [];
  #changes = -1;
  #isRead = false;
  #isDraining = false;
  #running: Promise<void> = Promise.resolve();
  #failure: string | null = 'it is reading the open orders of programs';

  constructor(options: ProgramOrderKeeperOptions) {
    const { market, gasWallet, references, dcaKeeper, metrics, leases, onDefect } = options;
    this.#options = options;
    this.#timers = new StoppableTimers(options.timers);
    this.#maxInFlight = options.maxInFlight ?? MAX_IN_FLIGHT;
    this.#places = new WalletPlaces(this.#maxInFlight);
    this.#lead = new KeeperLead(leases, LEASE);
    this.#gas = createOrderGas(gasWallet, onDefect);
    this.#permission = new DcaPermission(dcaKeeper?.address ?? null, () =>
      this.#orders.settleAll('dca', this.#timers.now()),
    );
    this.#orders = new KeeperOrders({
      dollarsPerAtom: (mint) => market.prices.dollarsPerAtom(mint),
      onReady: (order) => this.#addTurn(order),
      onMint: (mint, isNamed) => (isNamed ? references.follow(mint) : references.unfollow(mint)),
      isFilled: (program) => program === 'limit-order' || this.#permission.isGiven,
    });
    this.#planner = new ProgramOrderPlanner({
      ...options,
      gasWallet: gasWallet.keypair,
      isGasEmpty: () => gasWallet.isEmpty(),
      findReferences: (inputMint, outputMint) => ({
        referenceIn: references.median(inputMint),
        referenceOut: references.median(outputMint),
      }),
    });
    this.#metrics = createProgramOrderMetrics(metrics, {
      open: () => this.#orders.countByProgram(),
      waiting: () => this.#orders.countByReason(),
      inFlight: () => this.#inFlight.size,
    });
  }

  /**
   * Begins to work. Resolves when the open orders are read, or the network has not answered; then they are read later. No second
   * round begins before, which would follow the programs twice.
   */
  start(): Promise<void> {
    const work = () => {
      this.#running = this.#round().catch((error: unknown) => {
        this.#noteOutage(error);
        this.#failure = 'the network or the server of leases does not answer';
      });
      return this.#running;
    };
    this.#stops.push(this.#options.references.onTick((mint) => this.#noteTick(mint)));
    const { first, stop } = repeatFromNow(PROGRAM_ROUND_MS, work, this.#timers, (error) =>
      this.#noteOutage(error),
    );
    this.#stops.push(stop);
    return first;
  }

  /** Returns why orders of programs are not filled now; null when they are, or another keeper leads. */
  unhealthy(): string | null {
    return this.#failure ?? this.#options.market.chain.unhealthy();
  }

  /** Begins nothing more. Resolves when no transaction is on its way. */
  async drain(): Promise<void> {
    this.#isDraining = true;
    this.#stopAll();
    await Promise.all(this.#working);
    await Promise.all(this.#inFlight.values());
    await this.#release();
  }

  /** Ends everything, once nothing is half begun. How a transaction ends that was sent is left to the chain. */
  async close(): Promise<void> {
    this.#isDraining = true;
    this.#stopAll();
    const last = Promise.all([this.#running, ...this.#working]);
    await waitWithin(last, MAX_LAST_WORK_MS, this.#options.timers);
    await this.#release();
    this.#timers.stop();
  }

  #stopAll(): void {
    for (const stop of this.#stops.splice(0)) stop();
  }

  async #release(): Promise<void> {
    await this.#lead
      .release()
      .catch((error: unknown) => this.#options.onDefect('a lease is not released', error));
  }

  async #round(): Promise<void> {
    const { market, outage } = this.#options;
    if (!this.#isRead) await this.#readAll();
    await this.#lead.renew();
    const { chain, prices } = market;
    if (chain.unhealthy() === null) {
      const now = this.#timers.now();
      if (prices.changes !== this.#changes) {
        this.#changes = prices.changes;
        this.#orders.noteAllMoved();
      }
      this.#orders.wake({ now, chainSecond: chain.clock().unixTimestamp });
      this.#orders.look(now, MAX_PAIRS);
      this.#begin();
    }
    outage.onAnswer();
    this.#failure = null;
  }

  /** Follows both programs, and reads what was there before. */
  async #readAll(): Promise<void> {
    const { chain } = this.#options.market;
    const stopPermission = await this.#permission.follow(chain);
    const stopOrders = await followOrderAccounts(chain, (updates) => {
      this.#orders.apply(updates, this.#timers.now());
      this.#begin();
    }).catch((error: unknown) => {
      stopPermission();
      throw error;
    });
    const stops = [stopPermission, stopOrders];
    this.#isRead = true;
    if (this.#isDraining) for (const stop of stops) stop();
    else this.#stops.push(...stops);
  }

  /** A round that `drain` or `close` has cut short is no outage. */
  #noteOutage(error: unknown): void {
    if (!this.#isDraining) this.#options.outage.onFailure(error);
  }

  #noteTick(mint: Address): void {
    this.#orders.noteMoved(mint);
    this.#orders.look(this.#timers.now(), MAX_PAIRS);
    this.#begin();
  }

  #addTurn(order: FollowedOrder): void {
    const { program, address } = order.known;
    this.#turns[program === 'dca' ? 'rounds' : 'prices'].add(getOrderWallet(order.known), address);
  }

  /** Begins as many attempts as there are places. */
  #begin(): void {
    if (this.#isDraining || !this.#isRead || !this.#lead.isHeld) return;
    if (this.#options.market.chain.unhealthy() !== null) return;
    while (this.#working.size < MAX_WORKED && this.#inFlight.size < this.#maxInFlight) {
      const address = this.#turns.next(true, (wallet) => this.#places.mayTake(wallet));
      if (address === undefined) return;
      const order = this.#orders.begin(address);
      if (order === null) continue;
      const wallet = getOrderWallet(order.known);
      this.#places.take(wallet);
      const work = this.#work(order, wallet).finally(() => {
        this.#working.delete(work);
        this.#places.giveBack(wallet);
        this.#begin();
      });
      this.#working.add(work);
    }
  }

  async #work(order: FollowedOrder, wallet: Address): Promise<void> {
    const { known } = order;
    try {
      const plan = await this.#planner.plan(known);
      if (plan.kind === 'gone') this.#orders.drop(order, this.#timers.now());
      else if (plan.kind === 'waits') this.#putOff(order, plan.reason, null);
      else await this.#charge(order, wallet, plan);
    } catch (error) {
      this.#noteOutage(error);
      this.#putOff(order, 'unavailable', null);
    }
  }

  async #charge(order: FollowedOrder, wallet: Address, task: PlannedTask): Promise<void> {
    const { address, program } = order.known;
    const charge = await this.#gas.spend(task.task === 'fill' ? wallet : ENDED_BY[program], task.lamports);
    if (charge === null) {
      this.#putOff(order, 'gas', null);
      return;
    }
    if (this.#isDraining) {
      this.#gas.giveBack(charge, charge.lamports);
      return;
    }
    this.#metrics.lag.observe((this.#timers.now() - order.readySince) / 1_000);
    this.#places.take(wallet);
    const flight = this.#fly(order, task, charge).finally(() => {
      this.#inFlight.delete(address);
      this.#places.giveBack(wallet);
      this.#begin();
    });
    this.#inFlight.set(address, flight);
  }

  async #fly(order: FollowedOrder, task: PlannedTask, charge: GasCharge): Promise<void> {
    const { market, onDefect } = this.#options;
    const { chain, describeFailure } = market;
    const { program, address } = order.known;
    let ended: EndedTask;
    try {
      ended = await runTask({ chain, timers: this.#timers, describeFailure, gas: this.#gas }, task, charge);
    } catch (error) {
      onDefect('a transaction with an order could not be sent', error);
      ended = { outcome: 'unknown', reason: 'unavailable', cost: null };
    }
    const { outcome, reason, cost } = ended;
    this.#metrics.transactions.add({ program, task: task.task, outcome });
    if (cost !== null) this.#metrics.gasLamports.add({}, Number(cost));
    if (reason === null) this.#orders.release(address, { kind: 'done' }, this.#timers.now());
    else this.#putOff(order, reason, outcome);
  }

  /** @param outcome - How its transaction ended; null if none was sent. */
  #putOff({ known, times }: FollowedOrder, reason: OrderWait, outcome: EndedTask['outcome'] | null): void {
    const now = this.#timers.now();
    const delay = computeOrderDelay(reason, times);
    const failed = outcome === 'failed' ? computeFailedDelay(known.failures) : 0;
    const until = now + Math.max(delay, failed);
    this.#orders.release(known.address, { kind: 'waits', reason, until, hasFailed: outcome !== null }, now);
  }
}

/**
 * The budget of one wallet from which all cancellations or closings of a program are paid. Their owners get all rent back, so that
 * any number of wallets could have orders ended for almost nothing, until no gas was left for fills.
 */
const ENDED_BY: Readonly<Record<OrderProgram, Address>> = {
  'limit-order': LIMIT_ORDER_PROGRAM,
  dca: DCA_PROGRAM,
};
