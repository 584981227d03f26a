import type { Chain } from '../../chain/chain.ts';
import type { OutageLog } from '../../common/outage-log.ts';
import type { Leases } from '../../common/ports/leases.ts';
import type { Metrics } from '../../common/ports/metrics.ts';
import { repeatWithPauses, type Timers, waitWithin } from '../../common/ports/timers.ts';
import { Unavailable } from '../../common/unavailable.ts';
import type { Address } from '../../solana/address.ts';
import type { Keypair } from '../../solana/keypair.ts';
import type { AccountStates } from '../../transactions/build/costs.ts';
import type { DescribeFailure } from '../../transactions/transaction-failure.ts';
import type { GasWallet } from '../../waiting-orders/fills/gas-wallet.ts';
import { KeeperLead } from '../../waiting-orders/keeper/keeper-lead.ts';
import { StoppableTimers } from '../../waiting-orders/keeper/stoppable-timers.ts';
import { type ChargedTransaction, submitCharged } from '../../waiting-orders/keeper/submit-charged.ts';
import type { CompleteLaunch } from '../launch.ts';
import {
  describeLackOfGas,
  type GraduationBudgets,
  GraduationGas,
  type SpentOnGraduation,
} from './graduation-gas.ts';
import { type GraduationWait, planGraduation } from './graduation-plan.ts';
import { GraduationRetries } from './graduation-retries.ts';
import { type GraduatingLaunch, readCurrentStates, readGraduatingLaunches } from './graduation-states.ts';
import { findGraduationStep, type GraduationStep } from './graduation-step.ts';
import { createGraduatorMetrics, type GraduatorMetrics } from './graduator-metrics.ts';

/** The pause before each turn. */
export const GRADUATION_TURN_MS = 1_000;
/** The lease of the one graduator that works. */
const LEASE = 'launch-graduator';
/** Launches that are planned at once. */
const MAX_AT_ONCE = 8;
/** Transactions that are sent and wait for the chain. Further ones are not begun. */
const MAX_IN_FLIGHT = 32;
/** How long it takes at most to end what is being planned. */
const MAX_LAST_WORK_MS = 10_000;

/** The launches that wait for a migration that the operator pays for. */
export interface PaidLaunches {
  readonly paidCount: number;
  readonly listPaid: () => Iterable<CompleteLaunch>;
  /** Notes that no transaction of this service can migrate a launch, so that it is not listed again. */
  readonly leave: (pool: Address) => void;
  /** Returns why launches may be unknown; null if all are known. */
  readonly unhealthy: () => string | null;
}

export interface GraduatorOptions {
  readonly chain: Chain;
  readonly describeFailure: DescribeFailure;
  readonly launches: PaidLaunches;
  /** Pays fees and rents. */
  readonly gasWallet: Pick<GasWallet, 'keypair' | 'isEmpty' | 'lamports'>;
  /** What migrations may cost. */
  readonly budgets: GraduationBudgets;
  /** Returns what atoms of a token are worth in dollars; null if it has no price that can be relied on. */
  readonly worthInDollars: (mint: Address, atoms: bigint) => number | null;
  /** By which one of several graduators leads. Null for one that is alone. */
  readonly leases: Leases | null;
  readonly createFreshKey: () => Keypair;
  readonly timers: Timers;
  readonly metrics: Metrics;
  /** Called when the store or the chain does not answer, and when they do. */
  readonly outage: OutageLog;
  readonly onDefect: (where: string, error: unknown) => void;
}

/**
 * Takes launches whose curve is complete to their DAMM v2 pools. The chain has the whole state: nothing is recorded but the gas, and
 * what one graduator leaves unfinished another one sees on the chain. The program takes each step once, whoever sends it, so it is
 * no failure when somebody else was faster.
 */
export class Graduator {
  readonly #options: GraduatorOptions;
  readonly #timers: StoppableTimers;
  readonly #gas: GraduationGas;
  readonly #lead: KeeperLead;
  readonly #metrics: GraduatorMetrics;
  readonly #retries = new GraduationRetries();
  /** Launches that are being planned, or whose transactions have not ended. */
  readonly #busy = new Set<Address>();
  readonly #inFlight = new Set<Promise<void>>();
  #serial = 0;
  #isDraining = false;
  #running: Promise<void> = Promise.resolve();
  #stop: () => void = () => undefined;
  #failure: string | null = null;

  constructor(options: GraduatorOptions) {
    const { budgets, launches, leases, metrics, onDefect } = options;
    this.#options = options;
    this.#timers = new StoppableTimers(options.timers);
    this.#gas = new GraduationGas(budgets, onDefect);
    this.#lead = new KeeperLead(leases, LEASE);
    this.#metrics = createGraduatorMetrics(metrics, {
      complete: () => launches.paidCount,
      inFlight: () => this.#inFlight.size,
    });
  }

  start(): void {
    const work = () => {
      this.#running = this.#turn().catch((error: unknown) => this.#noteOutage(error));
      return this.#running;
    };
    this.#stop = repeatWithPauses(GRADUATION_TURN_MS, work, this.#timers, (error) => this.#noteOutage(error));
  }

  /** Returns why launches would not be taken further now; null when they are, or another graduator leads. */
  unhealthy(): string | null {
    const { chain, launches, gasWallet } = this.#options;
    return (
      this.#failure ??
      chain.unhealthy() ??
      launches.unhealthy() ??
      describeLackOfGas(gasWallet.lamports()) ??
      this.#gas.unhealthy()
    );
  }

  /** Begins nothing more. Resolves when no transaction is on its way. */
  async drain(): Promise<void> {
    this.#isDraining = true;
    this.#stop();
    await this.#running;
    await Promise.all(this.#inFlight);
    await this.#release();
  }

  /** Ends everything, once nothing is half begun. How a transaction ends that was sent is left to the chain. */
  async close(): Promise<void> {
    this.#isDraining = true;
    this.#stop();
    await waitWithin(this.#running, MAX_LAST_WORK_MS, this.#options.timers);
    await this.#release();
    this.#timers.stop();
  }

  async #release(): Promise<void> {
    await this.#lead
      .release()
      .catch((error: unknown) => this.#options.onDefect('a lease is not released', error));
  }

  /** What is cut short at the end is no outage. */
  #noteOutage(error: unknown): void {
    if (this.#isDraining) return;
    this.#failure = 'the network, the store or the server of leases does not answer';
    this.#options.outage.onFailure(error);
  }

  async #turn(): Promise<void> {
    const { chain, gasWallet, outage } = this.#options;
    await this.#lead.renew();
    if (this.#lead.isHeld && chain.unhealthy() === null && !gasWallet.isEmpty()) await this.#visitDue();
    outage.onAnswer();
    this.#failure = null;
  }

  /** Takes the launches further that are due, some of them at once. */
  async #visitDue(): Promise<void> {
    const { chain, launches, gasWallet } = this.#options;
    if (launches.paidCount === 0) this.#gas.noteNothingWaits();
    if (this.#retries.size > launches.paidCount) this.#retries.keepOnly(launches.listPaid());
    const due = this.#retries.pickDue(
      launches.listPaid(),
      ({ pool }) => !this.#busy.has(pool),
      ({ quoteMint, quoteReserve }) => (quoteMint === null ? 0 : this.#computeWorth(quoteMint, quoteReserve)),
      { now: this.#timers.now(), limit: Math.min(MAX_AT_ONCE, MAX_IN_FLIGHT - this.#inFlight.size) },
    );
    if (due.length === 0) return;
    const found = await readGraduatingLaunches(chain, due);
    const states = await readCurrentStates(chain, [gasWallet.keypair.address]);
    const failures: unknown[] = [];
    await Promise.all(
      due.map(async ({ pool }) => {
        const launch = found.get(pool);
        if (launch === undefined) return this.#noteWait(pool, 'refused');
        try {
          await this.#take(launch, states);
        } catch (error) {
          failures.push(error);
          this.#noteWait(pool, 'unavailable');
          if (!(error instanceof Unavailable))
            this.#options.onDefect('a launch could not be migrated', error);
        }
      }),
    );
    if (failures.length === due.length && failures[0] instanceof Unavailable) throw failures[0];
  }

  #computeWorth(mint: Address, atoms: bigint): number {
    return this.#options.worthInDollars(mint, atoms) ?? 0;
  }

  /** Takes the next step of a launch. Its transaction is on its way when this resolves. */
  async #take(launch: GraduatingLaunch, states: AccountStates): Promise<void> {
    const { address } = launch;
    const step = findGraduationStep(launch.pool, launch.config);
    const plan = await planGraduation(
      { ...this.#options, gasWallet: this.#options.gasWallet.keypair },
      launch,
      step,
      states,
      this.#serial++,
    );
    if (plan.kind === 'ended') return this.#retries.noteStep(address);
    if (plan.kind === 'waits') {
      if (plan.reason === 'unsupported') this.#options.launches.leave(address);
      const isOvertaken = plan.reason === 'refused' && (await this.#hasMoved(launch, step));
      if (!isOvertaken) this.#noteWait(address, plan.reason);
      return;
    }
    const worth = this.#computeWorth(launch.config.quoteMint, launch.pool.quoteReserve);
    const spent = await this.#gas.spend(worth, plan.lamports);
    if (spent === null) return this.#noteWait(address, 'gas');
    if (this.#isDraining) return spent.gas.giveBack(spent.charge, plan.lamports);
    this.#busy.add(address);
    const flight = this.#fly(launch, step, plan, spent).finally(() => {
      this.#inFlight.delete(flight);
      this.#busy.delete(address);
    });
    this.#inFlight.add(flight);
  }

  async #fly(
    launch: GraduatingLaunch,
    step: GraduationStep,
    transaction: ChargedTransaction,
    { gas, charge }: SpentOnGraduation,
  ): Promise<void> {
    const { chain, describeFailure, onDefect } = this.#options;
    const { address } = launch;
    try {
      const context = { chain, timers: this.#timers, describeFailure, gas };
      const { outcome, cost } = await submitCharged(context, transaction, charge);
      if (cost !== null) this.#metrics.lamports.add({}, Number(cost));
      if (outcome === 'success') {
        this.#retries.noteStep(address);
        if (step.kind === 'create-pool') this.#metrics.graduated.add();
      } else if (!(await this.#hasMoved(launch, step))) {
        this.#noteWait(address, outcome === 'failed' ? 'refused' : 'not-landed');
      }
    } catch (error) {
      this.#noteWait(address, 'unavailable');
      if (!(error instanceof Unavailable)) onDefect('the transaction of a launch could not be sent', error);
    }
  }

  /** Whether somebody else has taken the step. */
  async #hasMoved({ address, pool }: GraduatingLaunch, step: GraduationStep): Promise<boolean> {
    const { chain } = this.#options;
    const now = (await readGraduatingLaunches(chain, [{ pool: address, config: pool.config }])).get(address);
    return now !== undefined && findGraduationStep(now.pool, now.config).kind !== step.kind;
  }

  #noteWait(pool: Address, reason: GraduationWait): void {
    this.#metrics.notGraduated.add({ reason });
    const isOwn = reason === 'refused' || reason === 'unsupported' || reason === 'cost';
    this.#retries.noteFailure(pool, isOwn, this.#timers.now());
  }
}
