import type { Address } from '../../solana/address.ts';
import type { Chain, Commitment } from '../chain.ts';
import { AccountWatchers } from './main-thread/account-watchers.ts';
import type { NetworkOptions } from './bank/bank-options.ts';
import { ChainMemory } from './main-thread/chain-memory.ts';
import { MAX_BLOCKHASH_AGE } from '../recent-blockhashes.ts';
import type { AddressedAccount } from '../records/records.ts';
import { hasNetwork } from './storage/recovery.ts';
import { openSlotView } from './main-thread/slot-view.ts';
import type { SlotSummary } from './worker/slot-summaries.ts';
import type { TokenHolders } from './worker/token-holders.ts';
import { TransactionWatchers } from './main-thread/transaction-watchers.ts';
import { type RemoteControls, WorkerLink } from './main-thread/worker-link.ts';

export interface EmbeddedChainOptions extends Omit<NetworkOptions, 'genesis'> {
  /** Returns the accounts and programs of a new network. Only called when there is none in the folder. */
  readonly genesis: () => readonly AddressedAccount[] | Promise<readonly AddressedAccount[]>;
  /** The host of the JSON-RPC and WebSocket servers. Port 0 selects a free port. */
  readonly host: string;
  readonly rpcPort: number;
  readonly wsPort: number;
  /** Returns Unix milliseconds for this thread; the network itself uses the system's clock. Default `Date.now`. */
  readonly now?: () => number;
  /** Called when something failed in the network that does not stop it. */
  readonly onDefect: (where: string, message: string) => void;
}

/**
 * What can be done to the network from outside, for tests: the faucet, faults of RPC calls, and each method of `BankAdmin`.
 * They reject with `NetworkRefused`.
 */
export interface NetworkControls extends Omit<RemoteControls, 'reset'> {
  /**
   * Resets the accounts and the clock to those of a network that is started now, and removes all faults. Slots,
   * blockhashes, history and named snapshots stay. Resolves once durable.
   */
  reset(): Promise<void>;
}

/** The chain port over the embedded network, with what only an embedded network has. */
export interface EmbeddedChain extends Chain, NetworkControls {
  readonly rpcUrl: string;
  readonly wsUrl: string;
  /**
   * Counts the owners of a mint, as of the newest state.
   *
   * @param owner - A wallet whose balance is returned as well; null for none.
   */
  tokenHolders(mint: Address, owner: Address | null): Promise<TokenHolders>;
  /** Returns the wallet that created a mint; null if the network does not keep the transaction that did. */
  mintCreator(mint: Address): Promise<Address | null>;
  /** Summarizes the confirmed blocks after a slot, oldest first, of the newest `limit` slots. */
  slotSummaries(after: bigint, limit: number): Promise<readonly SlotSummary[]>;
  /** The slot from which on the network keeps all transactions. */
  historyFrom(): Promise<bigint>;
}

/** The thread is stuck when it has sent no message for this many slots, and for at least the time below. */
const SILENT_SLOTS = 20;
const SILENT_MS = 5_000;

/** Selects the newest blockhash of all. */
const FULL_LIFETIME = Number(MAX_BLOCKHASH_AGE);

/**
 * Starts the network in its own thread, and resolves when it answers.
 *
 * @throws OperatorError when the folder, the accounts or the ports cannot be used.
 *
 * @example
 * ```ts
 * import { address } from '../../solana/address.ts';
 * import { createKeypairFromSeed } from '../../solana/keypair.ts';
 * import { startEmbeddedChain } from './network.ts';
 *
 * const chain = await startEmbeddedChain({
 *   folder: null,
 *   seed: 'example',
 *   genesis: () => [],
 *   overlay: [],
 *   faucet: createKeypairFromSeed(new Uint8Array(32).fill(1)),
 *   mintAuthorities: [],
 *   slotMs: 400,
 *   production: false,
 *   host: '127.0.0.1',
 *   rpcPort: 0,
 *   wsPort: 0,
 *   onDefect: console.error,
 * });
 * const [update] = await chain.getAccounts([address('11111111111111111111111111111111')]);
 * await chain.close();
 * ```
 */
export async function startEmbeddedChain(options: EmbeddedChainOptions): Promise<EmbeddedChain> {
  const { genesis, onDefect, now = Date.now, ...data } = options;
  const isNew = options.folder === null || !hasNetwork(options.folder);
  let memory: ChainMemory | null = null;
  let watchers: AccountWatchers | null = null;
  let transactions: TransactionWatchers | null = null;
  let heardAt = now();
  const { link, ready } = await WorkerLink.start(
    { ...data, genesis: isNew ? await genesis() : [] },
    (message) => {
      heardAt = now();
      if (message.kind === 'defect') onDefect(message.where, message.message);
      else if (message.kind === 'changes') {
        for (const batch of message.batches) watchers?.handle(batch);
        if (message.encoded !== null) transactions?.handle(message.encoded);
      } else memory?.handle(message, heardAt);
    },
  );
  const known = new ChainMemory(ready.status, ready.blockhashes, {
    now: now(),
    blockhashLifetime: BigInt(options.blockhashSlots ?? MAX_BLOCKHASH_AGE),
  });
  memory = known;
  const watching = new AccountWatchers(link);
  watchers = watching;
  const executed = new TransactionWatchers(link);
  transactions = executed;
  const silentMs = Math.max(SILENT_MS, SILENT_SLOTS * options.slotMs);
  return {
    ...link.createControls(ready),
    reset: async () => {
      const accounts = await genesis();
      await link.call('clearCallFaults');
      await link.call('reset', accounts);
    },
    genesisHash: ready.genesisHash,
    rpcUrl: ready.rpcUrl,
    wsUrl: ready.wsUrl,
    slot: (commitment) => known.status.slots[commitment],
    blockHeight: (commitment) => known.status.heights[commitment],
    clock: () => known.status.clock,
    recentBlockhash: (slotsToExpiry = FULL_LIFETIME) => known.blockhash(slotsToExpiry),
    lastValidHeightOf: (blockhash) => known.lastValidHeightOf(blockhash),
    recentPriorityFees: (writable) => known.priorityFees(writable),
    getAccounts: (addresses, commitment: Commitment = 'processed') =>
      link.call('getAccounts', addresses, commitment),
    getProgramAccounts: (program, commitment: Commitment = 'processed', filter = {}) =>
      link.call('getProgramAccounts', program, commitment, filter),
    openView: (commitment: Commitment = 'confirmed') => openSlotView(link, known.status.slots[commitment]),
    watchAccounts: (addresses, onChange) => watching.watchAccounts(addresses, onChange),
    watchProgram: (program, onChange, filter = {}) => watching.watchProgram(program, onChange, filter),
    simulate: (transaction, { verifySignatures, accounts = [] }) =>
      link.call('simulate', transaction, verifySignatures, accounts),
    send: (transaction, { skipPreflight }) => link.call('send', transaction, skipPreflight),
    signatureStatuses: (signatures) => link.call('signatureStatuses', signatures),
    searchSignature: (signature) => link.call('searchSignature', signature),
    signaturesOf: (address, range) => link.call('signaturesOf', address, range),
    lamportSupply: () => link.call('lamportSupply'),
    transaction: (signature) => link.call('transaction', signature),
    slotSummaries: (after, limit) => link.call('slotSummaries', after, limit),
    historyFrom: () => link.call('historyFrom'),
    tokenHolders: (mint, owner) => link.call('tokenHolders', mint, owner),
    mintCreator: (mint) => link.call('mintCreator', mint),
    setFaults: async (faults) => {
      await link.call('setFaults', faults);
      known.setFloor(faults.congestion);
    },
    executed,
    unhealthy: () => {
      const silence = now() - heardAt;
      if (link.ended !== null) return link.ended;
      return silence > silentMs ? `the network has been silent for ${silence} ms` : known.status.unhealthy;
    },
    close: () => link.close(),
  };
}
