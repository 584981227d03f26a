import type { Leases } from '../../common/ports/leases.ts';
import { Unavailable } from '../../common/unavailable.ts';
import { FORECAST_TURN_MS } from '../../forecasts/keeper/forecast-keeper.ts';
import { type OpenedForecasts, openForecasts } from '../../forecasts/opening/open-forecasts.ts';
import { joinProgramErrorNames } from '../../market/program-errors.ts';
import { PROTOCOLS } from '../../protocols/index.ts';
import type { Store } from '../../store/index.ts';
import { createFailureDescriber } from '../../transactions/transaction-failure.ts';
import { GasBudget, type GasLimits } from '../../waiting-orders/fills/gas-budget.ts';
import { GasWallet } from '../../waiting-orders/fills/gas-wallet.ts';
import { CountedMetrics } from '../counted-metrics.ts';
import { ManualTimers } from '../timers.ts';
import { InterruptedCalls } from '../waiting-orders/interrupted.ts';
import { ForecastTestWorld } from './forecast-world.ts';

/** A keeper of its own process, with everything that it calls. */
export interface ForecastProcess {
  readonly forecasts: OpenedForecasts;
  readonly calls: InterruptedCalls;
}

/** Keepers over a world with the real program, and a clock that the test moves. */
export class ForecastRig extends ForecastTestWorld {
  readonly timers = new ManualTimers();
  readonly metrics = new CountedMetrics();
  readonly outages: unknown[] = [];
  readonly defects: unknown[] = [];
  limits: GasLimits = { perWallet: 100_000_000n, inAll: 10_000_000_000n };
  payoutLimits: GasLimits = this.limits;
  readonly #store: Store;
  readonly #processes: ForecastProcess[] = [];
  readonly #wallets: GasWallet[] = [];

  constructor(store: Store) {
    super();
    this.#store = store;
  }

  /** The rounds and the keeper of the first process. */
  get forecasts(): OpenedForecasts {
    const [process] = this.#processes;
    if (process === undefined) throw new Error('no keeper was started');
    return process.forecasts;
  }

  /** Starts a keeper that has seen nothing of the others. */
  async start({
    calls = new InterruptedCalls(),
    leases = null,
  }: {
    readonly calls?: InterruptedCalls;
    readonly leases?: Leases | null;
  } = {}): Promise<ForecastProcess> {
    const onFailure = (error: unknown) => {
      (error instanceof Unavailable ? this.outages : this.defects).push(error);
    };
    const outage = { onFailure, onAnswer: () => undefined };
    const { limits, payoutLimits, timers, metrics, operator } = this;
    const store = this.#store;
    const wallet = await GasWallet.open(operator, { limits, store, chain: this.chain });
    this.#wallets.push(wallet);
    const opening = openForecasts({
      chain: calls.wrap(this.chain),
      feed: null,
      keeper: {
        describeFailure: createFailureDescriber(joinProgramErrorNames(PROTOCOLS)),
        wallet: {
          keypair: wallet.keypair,
          budget: calls.wrap(wallet.budget),
          isEmpty: () => wallet.isEmpty(),
        },
        payoutBudget: calls.wrap(new GasBudget(operator.address, payoutLimits, store, 'payouts')),
        leases,
        metrics,
        outage,
      },
      timers,
      outage,
      onDefect: (_, error) => this.defects.push(error),
    });
    for (let quiet = 0; quiet < 30; quiet++) await new Promise(setImmediate);
    // A process that is killed while it opens never opens.
    timers.advance(5_000);
    const process = { forecasts: await opening, calls };
    this.#processes.push(process);
    await this.quiet();
    return process;
  }

  /** Waits until no call of a keeper is under way. */
  async quiet(): Promise<void> {
    for (let quiet = 0; quiet < 12; quiet++) {
      await new Promise(setImmediate);
      if (this.#processes.some(({ calls }) => calls.pending > 0)) quiet = -1;
    }
  }

  /** Lets turns of the keepers pass. */
  async pass(turns = 1): Promise<void> {
    for (let turn = 0; turn < turns; turn++) {
      this.timers.advance(FORECAST_TURN_MS);
      await this.quiet();
    }
  }

  /** Lets seconds pass, on the chain and at the keepers. */
  async run(seconds: number): Promise<void> {
    for (let second = 0; second < seconds; second++) {
      this.passSecond();
      await this.pass(2);
    }
  }

  /** Lets time pass until a second. */
  runUntil(second: number): Promise<void> {
    return this.run(second - this.now());
  }

  /** Moves the clock to a second at once. The feed is published in it. */
  async jump(second: number): Promise<void> {
    this.setClock(second);
    this.publish();
    await this.pass(2);
  }

  /** Lets so much time pass at the keepers that they try again what they have put off. */
  async passLong(): Promise<void> {
    for (let hour = 0; hour < 3; hour++) {
      this.timers.advance(3_600_000);
      await this.pass(4);
    }
  }

  /** Ends a process as if it was killed. */
  kill({ calls, forecasts }: ForecastProcess): void {
    calls.kill();
    void forecasts.close();
  }

  async closeAll(): Promise<void> {
    for (const { forecasts } of this.#processes.splice(0)) void forecasts.close();
    for (let turn = 0; turn < 12; turn++) await new Promise(setImmediate);
    this.timers.advance(10_000);
    for (let turn = 0; turn < 12; turn++) await new Promise(setImmediate);
    for (const wallet of this.#wallets.splice(0)) wallet.close();
  }
}
