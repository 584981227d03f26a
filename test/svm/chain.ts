import { getAddressDecoder, getAddressEncoder } from '@solana/kit';
import type {
  AccountUpdate,
  Chain,
  ChainClock,
  Commitment,
  PriorityFeeSample,
  RecentBlockhash,
} from '../../src/chain/chain.ts';
import type { Address } from '../../src/solana/address.ts';
import type { TestNetwork } from './network.ts';

type Listener = (updates: readonly AccountUpdate[]) => void;

/**
 * The chain port over a `TestNetwork`, for tests of what stands on the port: reads come straight from LiteSVM,
 * and watchers hear of changes when the test calls `publish`.
 */
export class SvmChain implements Chain {
  readonly genesisHash = '11111111111111111111111111111111';
  readonly fees: PriorityFeeSample[] = [];
  readonly #network: TestNetwork;
  readonly #accountWatchers = new Map<Listener, ReadonlySet<Address>>();
  readonly #programWatchers = new Map<Listener, Address>();
  #slot = 1_000n;

  constructor(network: TestNetwork) {
    this.#network = network;
  }

  /** Begins a new slot and tells watchers how these accounts stand now. */
  publish(addresses: readonly Address[]): void {
    this.#slot++;
    const updates = addresses.map((address) => this.#read(address));
    for (const [listener, program] of this.#programWatchers) {
      const owned = updates.filter(({ account }) => account?.owner === program);
      if (owned.length > 0) listener(owned);
    }
    for (const [listener, watched] of this.#accountWatchers) {
      const seen = updates.filter(({ address }) => watched.has(address));
      if (seen.length > 0) listener(seen);
    }
  }

  slot(_commitment: Commitment): bigint {
    return this.#slot;
  }

  blockHeight(_commitment: Commitment): bigint {
    return this.#slot;
  }

  clock(): ChainClock {
    const { epoch, unixTimestamp } = this.#network.svm.getClock();
    return { slot: this.#slot, epoch, unixTimestamp };
  }

  recentBlockhash(slotsToExpiry = 150): RecentBlockhash {
    const blockhash = this.#network.svm.latestBlockhash() as Address;
    return {
      blockhash,
      bytes: new Uint8Array(getAddressEncoder().encode(blockhash)),
      lastValidBlockHeight: this.#slot + BigInt(Math.min(slotsToExpiry, 150)),
      slot: this.#slot,
      fetchedAt: 1_700_000_000_123,
    };
  }

  recentPriorityFees(_writable: readonly Address[]): readonly PriorityFeeSample[] {
    return this.fees;
  }

  async getAccounts(addresses: readonly Address[]): Promise<readonly AccountUpdate[]> {
    return addresses.map((address) => this.#read(address));
  }

  async getProgramAccounts(program: Address): Promise<readonly AccountUpdate[]> {
    return this.#network.svm
      .getProgramAccounts(new Uint8Array(getAddressEncoder().encode(program)))
      .map((found) => this.#read(getAddressDecoder().decode(found.address)));
  }

  watchAccounts(addresses: readonly Address[], onChange: Listener): () => void {
    const listener: Listener = (updates) => onChange(updates);
    this.#accountWatchers.set(listener, new Set(addresses));
    return () => this.#accountWatchers.delete(listener);
  }

  watchProgram(program: Address, onChange: Listener): () => void {
    const listener: Listener = (updates) => onChange(updates);
    this.#programWatchers.set(listener, program);
    return () => this.#programWatchers.delete(listener);
  }

  simulate(): Promise<never> {
    return Promise.reject(new Error('tests simulate on the network itself'));
  }

  send(): Promise<never> {
    return Promise.reject(new Error('tests send on the network itself'));
  }

  signatureStatuses(): Promise<never> {
    return Promise.reject(new Error('tests read outcomes from the network itself'));
  }

  unhealthy(): string | null {
    return null;
  }

  async close(): Promise<void> {}

  #read(address: Address): AccountUpdate {
    return { address, slot: this.#slot, account: this.#network.account(address) };
  }
}
