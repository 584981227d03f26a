import type { Address } from '../../solana/address.ts';
import type { Chain, Commitment } from '../chain.ts';
import { AccountWatchers } from './worker/account-watchers.ts';
import type { NetworkOptions } from './bank/bank-options.ts';
import type { BankAdmin } from './ledger/bank.ts';
import { ChainMemory } from './worker/chain-memory.ts';
import type { Faults } from './blocks/faults.ts';
import type { CallFault, CallFaults } from './rpc/calls/call-faults.ts';
import type { NextFault } from './blocks/next-faults.ts';
import { MAX_BLOCKHASH_AGE } from '../recent-blockhashes.ts';
import type { AddressedAccount } from '../records/records.ts';
import type { NetworkPrice, WalkTerms } from './ledger/network-prices.ts';
import { hasNetwork } from './storage/recovery.ts';
import { openSlotView } from './worker/slot-view.ts';
import type { TokenHolders } from './worker/token-holders.ts';
import { TransactionWatchers } from './worker/transaction-watchers.ts';
import { WorkerLink } from './worker/worker-link.ts';

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
 * The chain port over the embedded network, with the operations that only an embedded network has. They reject with
 * `FaucetRefused` or `AdminRefused`.
 */
export interface EmbeddedChain extends Chain {
  readonly rpcUrl: string;
  readonly wsUrl: string;
  /** Mints atoms of `mint` to the wallet's associated token account. */
  faucet(wallet: Address, mint: Address, amount: bigint): Promise<{ signature: string; account: Address }>;
  requestAirdrop(wallet: Address, lamports: bigint): Promise<string>;
  /**
   * Counts the owners of a mint, as of the newest state.
   *
   * @param owner - A wallet whose balance is returned as well; null for none.
   */
  tokenHolders(mint: Address, owner: Address | null): Promise<TokenHolders>;
  /** Returns the wallet that created a mint; null if the network does not keep the transaction that did. */
  mintCreator(mint: Address): Promise<Address | null>;
  /** The slot from which on the network keeps all transactions. */
  historyFrom(): Promise<bigint>;
  warp: BankAdmin['warp'];
  setAccounts(...args: Parameters<BankAdmin['setAccounts']>): Promise<bigint>;
  saveSnapshot: BankAdmin['saveSnapshot'];
  restoreSnapshot: BankAdmin['restoreSnapshot'];
  exportSnapshot: BankAdmin['exportSnapshot'];
  importSnapshot: BankAdmin['importSnapshot'];
  /**
   * Resets the accounts and the clock to those of a network that is started now, and removes all faults. Slots,
   * blockhashes, history and named snapshots stay. Resolves once durable.
   */
  reset(): Promise<void>;
  deleteSnapshot: BankAdmin['deleteSnapshot'];
  snapshots(): Promise<ReturnType<BankAdmin['snapshots']>>;
  setFaults(faults: Faults): Promise<void>;
  faults(): Promise<Faults>;
  faultNext(fault: NextFault): Promise<void>;
  nextFaults(): Promise<ReturnType<BankAdmin['nextFaults']>>;
  clearNextFaults(): Promise<void>;
  /** Adds a fault that is injected into the next calls of a method over HTTP. */
  faultCalls(fault: CallFault): Promise<void>;
  callFaults(): Promise<ReturnType<CallFaults['list']>>;
  clearCallFaults(): Promise<void>;
  prices(): Promise<ReturnType<BankAdmin['prices']>>;
  setPrice(...args: Parameters<BankAdmin['setPrice']>): Promise<NetworkPrice>;
  walkPrice(...args: Parameters<BankAdmin['walkPrice']>): Promise<NetworkPrice>;
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
    ...createNetworkControls(link),
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

function createNetworkControls(link: WorkerLink) {
  return {
    faucet: (wallet: Address, mint: Address, amount: bigint) => link.call('faucet', wallet, mint, amount),
    requestAirdrop: (wallet: Address, lamports: bigint) => link.call('requestAirdrop', wallet, lamports),
    historyFrom: () => link.call('historyFrom'),
    tokenHolders: (mint: Address, owner: Address | null) => link.call('tokenHolders', mint, owner),
    mintCreator: (mint: Address) => link.call('mintCreator', mint),
    warp: (...args: Parameters<BankAdmin['warp']>) => link.call('warp', ...args),
    setAccounts: (...args: Parameters<BankAdmin['setAccounts']>) => link.call('setAccounts', ...args),
    saveSnapshot: (name: string) => link.call('saveSnapshot', name),
    restoreSnapshot: (name: string) => link.call('restoreSnapshot', name),
    exportSnapshot: (name: string) => link.call('exportSnapshot', name),
    importSnapshot: (name: string, packed: Uint8Array) => link.call('importSnapshot', name, packed),
    deleteSnapshot: (name: string) => link.call('deleteSnapshot', name),
    snapshots: () => link.call('snapshots'),
    faults: () => link.call('faults'),
    faultNext: (fault: NextFault) => link.call('faultNext', fault),
    nextFaults: () => link.call('nextFaults'),
    clearNextFaults: () => link.call('clearNextFaults'),
    faultCalls: (fault: CallFault) => link.call('faultCalls', fault),
    callFaults: () => link.call('callFaults'),
    clearCallFaults: () => link.call('clearCallFaults'),
    prices: () => link.call('prices'),
    setPrice: (symbol: string, price: string) => link.call('setPrice', symbol, price),
    walkPrice: (symbol: string, terms: WalkTerms | null) => link.call('walkPrice', symbol, terms),
  };
}
