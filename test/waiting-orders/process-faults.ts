import type { Chain } from '../../src/chain/chain.ts';
import type { Address } from '../../src/solana/address.ts';
import type { WaitingOrderStore } from '../../src/waiting-orders/store/order-store.ts';
import type { OrderInstances } from './order-instances.ts';
import type { RandomNumbers } from './random-numbers.ts';

interface FaultyWorld {
  readonly random: RandomNumbers;
  readonly instances: OrderInstances;
  readonly chain: Chain;
  readonly orders: WaitingOrderStore;
  /** Lists the ids of all orders that are stored. */
  readonly listOrders: () => Promise<readonly string[]>;
  readonly gasWallet: Address;
}

/** Lets processes, connections, servers and the network fail at random. */
export class ProcessFaults {
  /** How often each kind of fault was injected. */
  readonly counts = new Map<string, number>();
  readonly defects: unknown[] = [];
  /** Those whose transactions are lost or delayed. */
  readonly wallets: Address[] = [];
  readonly #world: FaultyWorld;
  readonly #restarts = new Set<Promise<void>>();

  constructor(world: FaultyWorld) {
    this.#world = world;
  }

  /** Makes something fail. */
  async strike(): Promise<void> {
    const { random, instances } = this.#world;
    const [fault, strike] = random.pick(this.#kinds);
    this.count(fault);
    await strike(random, instances);
  }

  count(fault: string): void {
    this.counts.set(fault, (this.counts.get(fault) ?? 0) + 1);
  }

  /** Resolves when all processes run again. */
  async settle(): Promise<void> {
    await Promise.all(this.#restarts);
  }

  /** Lets nothing fail any more. */
  async end(): Promise<void> {
    await this.settle();
    const { instances } = this.#world;
    await instances.admin('DELETE', 'faults/next');
    await instances.admin('DELETE', 'faults/rpc');
    await instances.admin('PUT', 'faults', {});
  }

  readonly #kinds: readonly (readonly [
    string,
    (random: RandomNumbers, instances: OrderInstances) => unknown,
  ])[] = [
    ['keepers killed', (random) => this.#restartKeeper(random, 'SIGKILL')],
    ['keepers killed', (random) => this.#restartKeeper(random, 'SIGKILL')],
    ['keepers restarted', (random) => this.#restartKeeper(random, 'SIGTERM')],
    [
      'instances killed',
      async (_, instances) => {
        await instances.end('gateway', 'SIGKILL');
        await instances.startGateway();
      },
    ],
    ['connections to the database reset', (_, { databaseLine }) => databaseLine.reset()],
    ['connections to the database reset', (_, { databaseLine }) => databaseLine.reset()],
    ['connections to the database ended', (_, { databaseLine }) => databaseLine.end()],
    ['connections to Valkey reset', (_, { valkeyLine }) => valkeyLine.reset()],
    ['connections to Valkey ended', (_, { valkeyLine }) => valkeyLine.end()],
    ['losses of all that Valkey has', (_, instances) => instances.emptyValkey()],
    ['dropped', (random) => this.#strikeNext(random, { effect: 'drop', count: random.below(3) + 1 })],
    ['dropped', (random) => this.#strikeNext(random, { effect: 'drop', count: 1 })],
    ['late', (random) => this.#strikeNext(random, { effect: 'delay', slots: random.below(150) + 1 })],
    ['late', (random) => this.#strikeNext(random, { effect: 'delay', slots: random.below(40) + 1 })],
    ['failed', (random) => this.#strikeNext(random, { effect: 'fail' })],
    ['twice', (random) => this.#sendAgain(random)],
    ['twice', (random) => this.#sendAgain(random)],
    [
      'stale reads, lost and reordered transactions',
      (random, instances) =>
        instances.admin('PUT', 'faults', {
          seed: random.below(1_000_000),
          drop: random.pick([0, 0.2, 0.5]),
          reorderSlots: random.below(20),
          staleReads: random.below(20),
        }),
    ],
    ['calls of the RPC refused', (random, instances) => failCalls(instances, random, { status: 503 })],
    ['calls of the RPC delayed', (random, instances) => failCalls(instances, random, { delayMs: 2_000 })],
    [
      'clock jumps',
      (random, instances) => instances.admin('POST', 'clock', { slots: random.pick([20, 100, 320]) }),
    ],
  ];

  #restartKeeper(random: RandomNumbers, signal: NodeJS.Signals): void {
    const name = random.pick(this.#world.instances.keepers);
    // One at a time, and the others go on meanwhile.
    const before = [...this.#restarts].at(-1) ?? Promise.resolve();
    const restart = before
      .then(async () => {
        await this.#world.instances.end(name, signal);
        await this.#world.instances.startKeeper(name);
      })
      .catch((error: unknown) => void this.defects.push(error))
      .finally(() => this.#restarts.delete(restart));
    this.#restarts.add(restart);
  }

  #strikeNext(random: RandomNumbers, fault: Readonly<Record<string, unknown>>): Promise<unknown> {
    const { instances, gasWallet } = this.#world;
    // Half of the faults are for fills.
    const wallet = random.chance(0.5) ? gasWallet : random.pick(this.wallets);
    return instances.admin('POST', 'faults/next', { ...fault, wallet });
  }

  /** Sends a transaction again that was sent before, whatever became of it. */
  async #sendAgain(random: RandomNumbers): Promise<void> {
    const { orders, chain, listOrders } = this.#world;
    const ids = await listOrders();
    if (ids.length === 0) return;
    for (const { wire } of await orders.transactionsOf(random.pick(ids)))
      await chain.send(wire, { skipPreflight: true }).catch(() => undefined);
  }
}

function failCalls(
  instances: OrderInstances,
  random: RandomNumbers,
  fault: Readonly<Record<string, unknown>>,
): Promise<unknown> {
  const method = random.pick(['*', 'sendTransaction', 'getSignatureStatuses', 'getMultipleAccounts']);
  return instances.admin('POST', 'faults/rpc', { ...fault, method, count: random.below(30) + 1 });
}
