import { InviteWorld, type WorldInvite, type WorldKind } from '../../../programs/invite/tests/world.ts';
import { compareTexts } from '../../common/compare-texts.ts';
import type { Leases } from '../../common/ports/leases.ts';
import type { ExpiredInvite, ExpiredInvites } from '../../invites/returning/expired-invites.ts';
import { RETURN_TURN_MS } from '../../invites/returning/invite-returner.ts';
import {
  openInviteReturner,
  type OpenedInviteReturner,
} from '../../invites/returning/open-invite-returner.ts';
import { joinProgramErrorNames } from '../../market/program-errors.ts';
import { PROTOCOLS } from '../../protocols/index.ts';
import type { NewInvite } from '../../protocols/jupiter-send/invite-instructions.ts';
import type { Address } from '../../solana/address.ts';
import { createKeypairFromSeed, type Keypair } from '../../solana/keypair.ts';
import { SYSTEM_PROGRAM } from '../../solana/program-addresses.ts';
import type { Store } from '../../store/index.ts';
import { createFailureDescriber } from '../../transactions/transaction-failure.ts';
import type { GasLimits, GasOfDay } from '../../waiting-orders/fills/gas-budget.ts';
import { GasWallet } from '../../waiting-orders/fills/gas-wallet.ts';
import { CountedMetrics } from '../counted-metrics.ts';
import { SvmChain } from '../svm/chain.ts';
import { ManualTimers } from '../timers.ts';
import { InterruptedCalls } from '../waiting-orders/interrupted.ts';

/** The fee of a transaction with one signature. */
export const RETURN_FEE = 5_000n;
const FROZEN_AT = 108;

/** A returner of its own process, with everything that it calls. */
export interface ReturnerProcess {
  readonly returner: OpenedInviteReturner;
  readonly calls: InterruptedCalls;
}

/** Counts simulations, and lets something happen right before a transaction lands. */
class ReturnChain extends SvmChain {
  simulated = 0;
  beforeSend: () => void = () => undefined;
  /** How many slots the node that reads accounts is behind. */
  lag = 0n;

  override simulate(...args: Parameters<SvmChain['simulate']>) {
    this.simulated++;
    return super.simulate(...args);
  }

  override async getAccounts(addresses: readonly Address[]) {
    const read = await super.getAccounts(addresses);
    return read.map((update) => ({ ...update, slot: update.slot - this.lag }));
  }

  override send(transaction: Uint8Array): Promise<string> {
    this.beforeSend();
    return super.send(transaction);
  }
}

/** Returners of expired invites over the real program, a record that the test keeps, and a clock that it moves. */
export class ReturnRig implements ExpiredInvites {
  readonly world: InviteWorld;
  readonly chain: ReturnChain;
  readonly timers = new ManualTimers();
  readonly metrics = new CountedMetrics();
  readonly gasWallet: Keypair = createKeypairFromSeed(new Uint8Array(32).fill(7));
  readonly outages: unknown[] = [];
  readonly defects: unknown[] = [];
  limits: GasLimits = { perWallet: 20_000_000n, inAll: 1_000_000_000n };
  /** Whether the record calls invites open that have ended. */
  isRecordLate = false;
  /** What the record rejects with. */
  recordError: Error | null = null;
  readonly #store: Store;
  readonly #recorded = new Map<Address, ExpiredInvite>();
  readonly #processes: ReturnerProcess[] = [];

  constructor(store: Store, kind: WorldKind = 'SOL') {
    this.#store = store;
    this.world = new InviteWorld(kind);
    this.chain = new ReturnChain(this.world.network);
    this.fund(1_000_000_000n);
  }

  /** Sets what the gas wallet holds. */
  fund(lamports: bigint): void {
    const { address } = this.gasWallet;
    this.world.network.setAccount(address, {
      lamports,
      owner: SYSTEM_PROGRAM,
      data: new Uint8Array(0),
      executable: false,
      rentEpoch: 0n,
    });
    this.chain.publish([address]);
  }

  get gas(): bigint {
    return this.world.lamports(this.gasWallet.address);
  }

  /** Creates an invite that the record knows. */
  create(changes: Partial<NewInvite> = {}): WorldInvite {
    const invite = this.world.create(changes);
    this.record(invite);
    return invite;
  }

  /** Records an invite as it is. */
  record(invite: WorldInvite): void {
    const { expiresAt, sender } = this.world.read(invite) ?? {};
    if (expiresAt === undefined || sender === undefined) throw new Error(`${invite.address} does not exist`);
    this.#recorded.set(invite.address, { invite: invite.address, sender, expiresAt });
  }

  listExpired: ExpiredInvites['listExpired'] = async ({ now, after, limit }) => {
    if (this.recordError !== null) throw this.recordError;
    return [...this.#recorded.values()]
      .filter((one) => one.expiresAt <= now && (this.isRecordLate || this.isOpen({ address: one.invite })))
      .filter((one) => after === null || comparePlaces(one, after) > 0)
      .sort(comparePlaces)
      .slice(0, limit);
  };

  isOpen(invite: Pick<WorldInvite, 'address'>): boolean {
    return this.world.read(invite) !== null;
  }

  /** Freezes the account that holds the tokens of an invite, or thaws it. */
  setFrozen({ token }: WorldInvite, isFrozen: boolean): void {
    const { network } = this.world;
    const account = token === null ? null : network.account(token.vault);
    if (token === null || account === null) throw new Error('the invite holds no tokens');
    const data = Buffer.from(account.data);
    data[FROZEN_AT] = isFrozen ? 2 : 1;
    network.setAccount(token.vault, { ...account, data });
  }

  now(): bigint {
    return this.chain.clock().unixTimestamp;
  }

  passSeconds(seconds: bigint): void {
    this.world.network.setUnixTime(this.now() + seconds);
  }

  /** Starts a returner that has seen nothing of the others. */
  async start({
    calls = new InterruptedCalls(),
    leases = null,
  }: {
    readonly calls?: InterruptedCalls;
    readonly leases?: Leases | null;
  } = {}): Promise<ReturnerProcess> {
    const gasWallet = await this.#openGasWallet();
    const returner = openInviteReturner({
      chain: calls.wrap(this.chain),
      describeFailure: createFailureDescriber(joinProgramErrorNames(PROTOCOLS)),
      expired: calls.wrap<ExpiredInvites>(this),
      gasWallet: {
        keypair: this.gasWallet,
        budget: calls.wrap(gasWallet.budget),
        isEmpty: () => gasWallet.isEmpty(),
      },
      leases,
      timers: this.timers,
      metrics: this.metrics,
      outage: { onFailure: (error) => this.outages.push(error), onAnswer: () => undefined },
      onDefect: (_, error) => this.defects.push(error),
    });
    const process = { returner, calls };
    this.#processes.push(process);
    returner.start();
    return process;
  }

  #openGasWallet(): Promise<GasWallet> {
    const { limits, chain } = this;
    return GasWallet.open(this.gasWallet, { limits, store: this.#store, chain });
  }

  /** The gas that is counted today, for the invites of a sender and in all. */
  async gasOf(sender: Address): Promise<GasOfDay> {
    const gasWallet = await this.#openGasWallet();
    gasWallet.close();
    return gasWallet.budget.today(sender);
  }

  /** Lets turns pass, by the clock of the returners. */
  async pass(turns = 1): Promise<void> {
    for (let turn = 0; turn < turns; turn++) {
      this.timers.advance(RETURN_TURN_MS);
      await this.quiet();
    }
  }

  /** Waits until no call of a returner is under way. */
  async quiet(): Promise<void> {
    for (let quiet = 0; quiet < 4; quiet++) {
      await new Promise(setImmediate);
      if (this.#processes.some(({ calls }) => calls.pending > 0)) quiet = -1;
    }
  }

  /** Ends a process as if it was killed. */
  kill(process: ReturnerProcess): void {
    process.calls.kill();
    void process.returner.close();
  }

  killAll(): void {
    for (const process of this.#processes) this.kill(process);
  }
}

function comparePlaces(
  one: Pick<ExpiredInvite, 'expiresAt' | 'invite'>,
  other: Pick<ExpiredInvite, 'expiresAt' | 'invite'>,
): number {
  return Number(one.expiresAt - other.expiresAt) || compareTexts(one.invite, other.invite);
}
