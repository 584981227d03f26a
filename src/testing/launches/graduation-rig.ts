import {
  buyOut,
  type Graduate,
  type GraduateOptions,
  launchGraduate,
  prepareMigrations,
  PROGRAMS,
  readVirtualPool,
} from '../../../programs/meteora-dbc/tests/migration-fixture.ts';
import type { Leases } from '../../common/ports/leases.ts';
import { LaunchIndex } from '../../launches/following/launch-index.ts';
import { createGraduationBudgets, type GraduationBudgets } from '../../launches/graduating/graduation-gas.ts';
import { GRADUATION_TURN_MS } from '../../launches/graduating/graduator.ts';
import { openGraduator, type OpenedGraduator } from '../../launches/graduating/open-graduator.ts';
import type { PaysForLaunch } from '../../launches/launch.ts';
import { joinProgramErrorNames } from '../../market/program-errors.ts';
import { PROTOCOLS } from '../../protocols/index.ts';
import type { DbcPoolConfig } from '../../protocols/meteora-dbc/program/config-terms.ts';
import { decodeDbcConfig, encodeDbcConfig } from '../../protocols/meteora-dbc/program/layout-config.ts';
import { METEORA_DBC_PROGRAM } from '../../protocols/meteora-dbc/program/program.ts';
import { createKeypairFromSeed, type Keypair } from '../../solana/keypair.ts';
import { SYSTEM_PROGRAM } from '../../solana/program-addresses.ts';
import type { Store } from '../../store/index.ts';
import { createFailureDescriber } from '../../transactions/transaction-failure.ts';
import { CountedMetrics } from '../counted-metrics.ts';
import { SvmChain } from '../svm/chain.ts';
import { TestNetwork } from '../svm/network.ts';
import { ManualTimers } from '../timers.ts';
import { InterruptedCalls } from '../waiting-orders/interrupted.ts';

/** A graduator of its own process, with everything that it calls. */
export interface GraduatorProcess {
  readonly graduator: OpenedGraduator;
  readonly index: LaunchIndex;
  readonly calls: InterruptedCalls;
}

/** Lets something happen right before a transaction lands, and counts simulations. */
class GraduationChain extends SvmChain {
  simulated = 0;
  beforeSend: () => void = () => undefined;

  override simulate(...args: Parameters<SvmChain['simulate']>) {
    this.simulated++;
    return super.simulate(...args);
  }

  override send(transaction: Uint8Array): Promise<string> {
    this.beforeSend();
    return super.send(transaction);
  }
}

/** Graduators over the real programs, and a clock that the test moves. */
export class GraduationRig {
  readonly network = new TestNetwork(PROGRAMS, 'graduation');
  readonly chain = new GraduationChain(this.network);
  readonly timers = new ManualTimers();
  readonly metrics = new CountedMetrics();
  readonly gasWallet: Keypair = createKeypairFromSeed(new Uint8Array(32).fill(7));
  readonly outages: unknown[] = [];
  readonly defects: unknown[] = [];
  lamportsPerDay = 10_000_000_000n;
  paysFor: PaysForLaunch = () => true;
  /** What the launches have raised, in dollars. */
  worth: number | null = 1_000;
  readonly #store: Store;
  readonly #processes: GraduatorProcess[] = [];
  #keys = 0;

  constructor(store: Store) {
    this.#store = store;
    prepareMigrations(this.network);
    this.fund(10_000_000_000n);
  }

  /** Sets what the gas wallet holds. */
  fund(lamports: bigint): void {
    const data = new Uint8Array(0);
    const wallet = { lamports, owner: SYSTEM_PROGRAM, data, executable: false, rentEpoch: 0n };
    this.network.setAccount(this.gasWallet.address, wallet);
  }

  get gas(): bigint {
    return this.network.account(this.gasWallet.address)?.lamports ?? 0n;
  }

  launch(name: string, changes: GraduateOptions['changes'] = {}): Graduate {
    const graduate = launchGraduate(this.network, { name, changes });
    this.chain.publish([graduate.keys.pool]);
    return graduate;
  }

  /** Launches a token whose curve somebody buys out. */
  launchComplete(name: string, changes: GraduateOptions['changes'] = {}): Graduate {
    const graduate = this.launch(name, changes);
    this.buyOut(graduate);
    return graduate;
  }

  buyOut(graduate: Graduate): void {
    buyOut(this.network, graduate);
    this.chain.publish([graduate.keys.pool]);
  }

  /** Changes the configuration of a launch, as only another version of the program could write it. */
  changeConfig({ keys }: Graduate, changes: Partial<DbcPoolConfig>): void {
    const account = this.network.account(keys.config);
    if (account === null) throw new Error('the launch has no configuration');
    const data = encodeDbcConfig({ ...decodeDbcConfig(account.data), ...changes });
    this.network.setAccount(keys.config, { ...account, data });
  }

  progressOf(graduate: Graduate): number {
    return readVirtualPool(this.network, graduate).migrationProgress;
  }

  /** Starts a graduator that has seen nothing of the others. */
  async start({
    calls = new InterruptedCalls(),
    leases = null,
  }: {
    readonly calls?: InterruptedCalls;
    readonly leases?: Leases | null;
  } = {}): Promise<GraduatorProcess> {
    const chain = calls.wrap(this.chain);
    const { timers, lamportsPerDay } = this;
    const index = await LaunchIndex.open({
      chain: this.chain,
      isOwnNetwork: false,
      genesisCreators: new Map(),
      readKnown: () => null,
      paysFor: (launch) => this.paysFor(launch),
      timers,
      metrics: this.metrics,
      outage: { onFailure: (error) => this.outages.push(error), onAnswer: () => undefined },
    });
    const { large, small } = this.#createBudgets(lamportsPerDay);
    const graduator = openGraduator({
      chain,
      describeFailure: createFailureDescriber(joinProgramErrorNames(PROTOCOLS)),
      launches: index,
      gasWallet: {
        keypair: this.gasWallet,
        isEmpty: () => this.gas < 1_000_000n,
        lamports: () => this.gas,
      },
      budgets: { large: calls.wrap(large), small: calls.wrap(small) },
      worthInDollars: () => this.worth,
      leases,
      createFreshKey: () => this.#createFreshKey(),
      timers,
      metrics: this.metrics,
      outage: { onFailure: (error) => this.outages.push(error), onAnswer: () => undefined },
      onDefect: (_, error) => this.defects.push(error),
    });
    const process = { graduator, index, calls };
    this.#processes.push(process);
    return process;
  }

  /** The lamports that are counted today. */
  async countedGas(): Promise<bigint> {
    return (await this.#createBudgets(0n).large.today(METEORA_DBC_PROGRAM)).inAll;
  }

  /** Lets turns pass, by the clock of the graduators. */
  async pass(turns = 1): Promise<void> {
    for (let turn = 0; turn < turns; turn++) {
      this.timers.advance(GRADUATION_TURN_MS);
      await this.quiet();
    }
  }

  /** Waits until no call of a graduator is under way. */
  async quiet(): Promise<void> {
    for (let quiet = 0; quiet < 8; quiet++) {
      await new Promise(setImmediate);
      if (this.#processes.some(({ calls }) => calls.pending > 0)) quiet = -1;
    }
  }

  /** Ends a process as if it was killed. */
  kill({ calls, graduator, index }: GraduatorProcess): void {
    calls.kill();
    void graduator.close();
    void index.close();
  }

  killAll(): void {
    for (const process of this.#processes) this.kill(process);
  }

  #createBudgets(lamportsPerDay: bigint): GraduationBudgets {
    return createGraduationBudgets(this.gasWallet.address, lamportsPerDay, this.#store);
  }

  #createFreshKey(): Keypair {
    const seed = new Uint8Array(32).fill(9);
    new DataView(seed.buffer).setUint32(0, ++this.#keys);
    return createKeypairFromSeed(seed);
  }
}
