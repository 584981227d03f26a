import type { Address } from '../../solana/address.ts';
import type { Instruction } from '../../solana/messages/instruction.ts';
import type { Keypair } from '../../solana/keypair.ts';
import type { Chain, Commitment } from '../chain.ts';
import { AccountWatchers } from './worker/account-watchers.ts';
import type { BankAdmin } from './ledger/bank.ts';
import { ChainMemory } from './worker/chain-memory.ts';
import type { Faults } from './blocks/faults.ts';
import type { AddressedAccount } from './records/records.ts';
import { hasNetwork } from './storage/recovery.ts';
import { WorkerLink } from './worker/worker-link.ts';

export interface EmbeddedChainOptions {
  /** Where the network is kept; null keeps nothing. Nobody else may use the folder. */
  readonly folder: string | null;
  /** Must be that of the network in the folder, if there is one. */
  readonly seed: string;
  /** What a new network begins with, programs included. Only called when there is none in the folder. */
  readonly genesis: () => readonly AddressedAccount[] | Promise<readonly AddressedAccount[]>;
  /** Written at every start over what was kept: programs to be up to date, and accounts that the operator loads. */
  readonly overlay: readonly AddressedAccount[];
  /** Pays airdrops and the faucet's transactions. */
  readonly faucet: Keypair;
  /** Keys with which the faucet mints; of other mints it borrows the authority for one transaction. */
  readonly mintAuthorities: readonly Keypair[];
  /** What the faucet's key sends when an epoch begins, each in a transaction of its own; default none. */
  readonly epochInstructions?: readonly Instruction[];
  /** Milliseconds. */
  readonly slotMs: number;
  /** Refuses the faucet and every control for tests. */
  readonly production: boolean;
  /** Where JSON-RPC and its WebSocket listen; port 0 takes any that is free. */
  readonly host: string;
  readonly rpcPort: number;
  readonly wsPort: number;
  /** Unix milliseconds in this thread; the network's own clock is the system's. Default `Date.now`. */
  readonly now?: () => number;
  /** Told of what went wrong inside the network without stopping it: a defect. */
  readonly onDefect: (where: string, message: string) => void;
}

/**
 * The chain port over the embedded network, and what only an embedded network has. The controls reject with
 * `FaucetRefused` or `AdminRefused`.
 */
export interface EmbeddedChain extends Chain {
  readonly rpcUrl: string;
  readonly wsUrl: string;
  /** Atoms of `mint` to the wallet's associated token account. */
  faucet(wallet: Address, mint: Address, amount: bigint): Promise<{ signature: string; account: Address }>;
  requestAirdrop(wallet: Address, lamports: bigint): Promise<string>;
  warp: BankAdmin['warp'];
  setAccounts(...args: Parameters<BankAdmin['setAccounts']>): Promise<bigint>;
  saveSnapshot: BankAdmin['saveSnapshot'];
  restoreSnapshot: BankAdmin['restoreSnapshot'];
  deleteSnapshot: BankAdmin['deleteSnapshot'];
  snapshots(): Promise<ReturnType<BankAdmin['snapshots']>>;
  setFaults(faults: Faults): Promise<void>;
  faults(): Promise<Faults>;
}

/** Without a word from the thread for so many slots, and at least so long, it counts as stuck. */
const SILENT_SLOTS = 20;
const SILENT_MS = 5_000;

/** A blockhash of any age does. */
const FULL_AGE = 150;

/**
 * Starts the network in a thread of its own and resolves when it answers.
 * Rejects with `OperatorError` when the folder, the accounts or the ports cannot be used.
 */
export async function startEmbeddedChain(options: EmbeddedChainOptions): Promise<EmbeddedChain> {
  const { genesis, onDefect, now = Date.now, ...data } = options;
  const isNew = options.folder === null || !hasNetwork(options.folder);
  let memory: ChainMemory | null = null;
  let watchers: AccountWatchers | null = null;
  let heardAt = now();
  const { link, ready } = await WorkerLink.start(
    { ...data, genesis: isNew ? await genesis() : [] },
    (message) => {
      heardAt = now();
      if (message.kind === 'defect') onDefect(message.where, message.message);
      else if (message.kind === 'accounts' || message.kind === 'program') watchers?.handle(message);
      else memory?.handle(message, heardAt);
    },
  );
  const known = new ChainMemory(ready.status, ready.blockhashes, now());
  memory = known;
  const watching = new AccountWatchers(link);
  watchers = watching;
  const silentMs = Math.max(SILENT_MS, SILENT_SLOTS * options.slotMs);
  return {
    ...controlsOf(link),
    genesisHash: ready.genesisHash,
    rpcUrl: ready.rpcUrl,
    wsUrl: ready.wsUrl,
    slot: (commitment) => known.status.slots[commitment],
    blockHeight: (commitment) => known.status.heights[commitment],
    clock: () => known.status.clock,
    recentBlockhash: (slotsToExpiry = FULL_AGE) => known.blockhash(slotsToExpiry),
    recentPriorityFees: (writable) => known.priorityFees(writable),
    getAccounts: (addresses, commitment: Commitment = 'processed') =>
      link.call('getAccounts', addresses, commitment),
    getProgramAccounts: (program, commitment: Commitment = 'processed', filter = {}) =>
      link.call('getProgramAccounts', program, commitment, filter),
    watchAccounts: (addresses, onChange) => watching.watchAccounts(addresses, onChange),
    watchProgram: (program, onChange, filter = {}) => watching.watchProgram(program, onChange, filter),
    simulate: (transaction, { verifySignatures, accounts = [] }) =>
      link.call('simulate', transaction, verifySignatures, accounts),
    send: (transaction, { skipPreflight }) => link.call('send', transaction, skipPreflight),
    signatureStatuses: (signatures) => link.call('signatureStatuses', signatures),
    searchSignature: (signature) => link.call('searchSignature', signature),
    transaction: (signature) => link.call('transaction', signature),
    unhealthy: () => {
      const silence = now() - heardAt;
      if (link.ended !== null) return link.ended;
      return silence > silentMs ? `the network has been silent for ${silence} ms` : known.status.unhealthy;
    },
    close: () => link.close(),
  };
}

function controlsOf(link: WorkerLink) {
  return {
    faucet: (wallet: Address, mint: Address, amount: bigint) => link.call('faucet', wallet, mint, amount),
    requestAirdrop: (wallet: Address, lamports: bigint) => link.call('requestAirdrop', wallet, lamports),
    warp: (...args: Parameters<BankAdmin['warp']>) => link.call('warp', ...args),
    setAccounts: (...args: Parameters<BankAdmin['setAccounts']>) => link.call('setAccounts', ...args),
    saveSnapshot: (name: string) => link.call('saveSnapshot', name),
    restoreSnapshot: (name: string) => link.call('restoreSnapshot', name),
    deleteSnapshot: (name: string) => link.call('deleteSnapshot', name),
    snapshots: () => link.call('snapshots'),
    setFaults: (faults: Faults) => link.call('setFaults', faults),
    faults: () => link.call('faults'),
  };
}
