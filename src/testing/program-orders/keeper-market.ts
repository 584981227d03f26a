import type { Leases } from '../../common/ports/leases.ts';
import { type Metrics, NO_METRICS } from '../../common/ports/metrics.ts';
import { ProgramOrderKeeper, PROGRAM_ROUND_MS } from '../../program-orders/keeper/program-order-keeper.ts';
import type { OrderPlanDependencies } from '../../program-orders/keeper/plan/plan-dependencies.ts';
import type { Address } from '../../solana/address.ts';
import type { Store } from '../../store/index.ts';
import type { GasLimits } from '../../waiting-orders/fills/gas-budget.ts';
import { GasWallet } from '../../waiting-orders/fills/gas-wallet.ts';
import { openTestMarket } from '../genesis-market/open.ts';
import type { SvmChain } from '../svm/chain.ts';
import type { TestNetwork } from '../svm/network.ts';
import { ManualTimers } from '../timers.ts';
import { InterruptedCalls } from '../waiting-orders/interrupted.ts';
import { OrderMarket } from './order-market.ts';

const MAX_ROUNDS = 200;

/** A keeper of its own process, with everything that it calls. */
export interface ProgramKeeperProcess {
  readonly keeper: ProgramOrderKeeper;
  readonly calls: InterruptedCalls;
}

/** Keepers over the genesis market, with a clock that the test moves. */
export class KeeperMarket extends OrderMarket {
  readonly timers = new ManualTimers();
  readonly defects: unknown[] = [];
  readonly outages: unknown[] = [];
  metrics: Metrics = NO_METRICS;
  limits: GasLimits = { perWallet: 20_000_000n, inAll: 1_000_000_000n };
  readonly #store: Store;
  readonly #processes: ProgramKeeperProcess[] = [];

  private constructor(store: Store, market: Awaited<ReturnType<typeof openTestMarket>>) {
    super(market);
    this.#store = store;
  }

  static async openOver(
    store: Store,
    createChain?: (network: TestNetwork) => SvmChain,
  ): Promise<KeeperMarket> {
    return new KeeperMarket(store, await openTestMarket('with programs', createChain));
  }

  /** Starts a keeper that has seen nothing of the others. */
  async start({
    calls = new InterruptedCalls(),
    leases = null,
    dcaKeeper = this.dcaKeeper,
  }: {
    readonly calls?: InterruptedCalls;
    readonly leases?: Leases | null;
    readonly dcaKeeper?: OrderPlanDependencies['dcaKeeper'];
  } = {}): Promise<ProgramKeeperProcess> {
    const { market } = this;
    const chain = calls.wrap(market.chain);
    const gasWallet = await GasWallet.open(this.fills.gasWallet, {
      limits: this.limits,
      store: this.#store,
      chain: market.chain,
    });
    const keeper = new ProgramOrderKeeper({
      ...this.dependencies,
      market: { ...market, chain },
      gasWallet: {
        keypair: gasWallet.keypair,
        budget: calls.wrap(gasWallet.budget),
        isEmpty: () => gasWallet.isEmpty(),
      },
      dcaKeeper,
      references: {
        follow: () => undefined,
        unfollow: () => undefined,
        median: (mint) => this.priceOf(mint),
        onTick: () => () => undefined,
      },
      leases,
      timers: this.timers,
      metrics: this.metrics,
      outage: { onFailure: (error) => this.outages.push(error), onAnswer: () => undefined },
      onDefect: (_, error) => this.defects.push(error),
    });
    const process = { keeper, calls };
    this.#processes.push(process);
    void keeper.start();
    await this.quiet();
    return process;
  }

  priceOf(mint: Address): number | null {
    const { referenceIn } = this.dependencies.findReferences(mint, mint);
    return referenceIn;
  }

  /** The gas that is counted today, for the orders of a wallet. */
  gasOf(wallet: Address): Promise<{ readonly byWallet: bigint; readonly inAll: bigint }> {
    return this.#openBudget().then((budget) => budget.today(wallet));
  }

  async #openBudget() {
    const gasWallet = await GasWallet.open(this.fills.gasWallet, {
      limits: this.limits,
      store: this.#store,
      chain: this.market.chain,
    });
    gasWallet.close();
    return gasWallet.budget;
  }

  /** Lets rounds pass, by the clock of the keepers. */
  async pass(rounds = 1): Promise<void> {
    for (let round = 0; round < rounds; round++) {
      this.timers.advance(PROGRAM_ROUND_MS);
      await this.quiet();
    }
  }

  /** Lets rounds pass until something is so. */
  async runUntil(isDone: () => boolean): Promise<void> {
    for (let round = 0; round < MAX_ROUNDS && !isDone(); round++) await this.pass();
    if (!isDone()) throw new Error(`it did not happen: ${this.outages} ${this.defects}`);
  }

  /** Lets minutes pass, up to two hours, until something is so. */
  async passMinutes(isDone: () => boolean): Promise<void> {
    for (let minute = 0; minute < 120 && !isDone(); minute++) {
      this.timers.advance(60_000);
      await this.quiet();
    }
    if (!isDone()) throw new Error(`it did not happen: ${this.outages} ${this.defects}`);
  }

  /** Lets time pass on the network. */
  passSeconds(seconds: bigint): void {
    this.market.network.setUnixTime(this.now() + seconds);
  }

  /** Waits until no call of a keeper is under way. */
  async quiet(): Promise<void> {
    for (let quiet = 0; quiet < 3; quiet++) {
      await new Promise(setImmediate);
      if (this.#processes.some(({ calls }) => calls.pending > 0)) quiet = -1;
    }
  }

  /** Ends a process as if it was killed. */
  kill(process: ProgramKeeperProcess): void {
    process.calls.kill();
    void process.keeper.close();
  }

  async closeAll(): Promise<void> {
    for (const process of this.#processes) this.kill(process);
  }
}
