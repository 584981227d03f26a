import { OperatorError } from '../../common/operator-error.ts';
import type { Address } from '../../solana/address.ts';
import { runAs } from '../../common/party.ts';
import { type Timers, wait } from '../../common/ports/timers.ts';
import { type AccountFilter, type AccountUpdate, matchesAccountFilter } from '../accounts.ts';
import { type Chain, ChainUnavailable, type ReadAttempts } from '../chain.ts';
import { MAX_BLOCKHASH_AGE } from '../recent-blockhashes.ts';
import type { NodeReading } from '../node-reading.ts';
import type { ReportedTransactions } from '../reported-transactions.ts';
import { AccountFeed } from './accounts/account-feed.ts';
import { CALLS_PER_VIEW, computeMaxCallsOfView, RpcAccountView } from './accounts/account-view.ts';
import { computeBackoffMs, varyRandomly } from './client/backoff.ts';
import { CallPace } from './client/call-pace.ts';
import { ChainHead } from './head.ts';
import { lamportSupply } from './lamport-supply.ts';
import { fetchLandedTransaction, sendTransaction, simulateTransaction } from './submission/submit.ts';
import { RecentFees } from './submission/priority-fees.ts';
import { callRaw } from './client/raw-call.ts';
import { type CallPolicy, READ, READ_ONCE, RpcClient, RpcRefusal } from './client/rpc-client.ts';
import { fetchAddressSignatures } from './submission/address-signatures.ts';
import { NO_HISTORY, searchSignature, StatusBatches } from './submission/status-batches.ts';
import { TransactionReports } from './reports/transaction-reports.ts';
import { WatchedSocket } from './watched-socket.ts';

export interface RpcChainOptions {
  readonly url: URL;
  readonly wsUrl: URL;
  /** The interval, in milliseconds, of reads of slots, blockhash, clock and accounts without a subscription. */
  readonly pollMs: number;
  /** The age, in milliseconds, from which data is stale and the chain unhealthy. */
  readonly staleMs: number;
  /** The interval, in milliseconds, of reads of all watched accounts. */
  readonly sweepMs: number;
  readonly maxSubscriptions: number;
  /** The number of blocks after its own in which a blockhash can be used. Default 150, as on Solana's networks. */
  readonly blockhashSlots?: number;
  /** The most calls that are made in a second: see `CallPace`. */
  readonly callsPerSecond: number;
  /** How many transactions are read in a second, to see trades. With 0, none are followed. */
  readonly transactionsPerSecond: number;
  /** The accounts that programs have, for RPCs that refuse `getProgramAccounts`. With null, the RPC is asked. */
  readonly programAccounts: readonly Address[] | null;
  readonly timers: Timers;
  /** Returns a number from 0 to 1. */
  readonly random: () => number;
  /** Called with a sentence about an event that the operator may want to know about, and whether it is good news. */
  readonly onNotice: (message: string, isRecovery?: boolean) => void;
}

/** The chain port over an RPC, with what this process has seen of the node. */
export interface ReadChain extends Chain {
  /** Returns how the calls to the node went; it is not called for that. */
  readonly readNode: () => NodeReading;
}

/** How long the RPC may take until it answers for the first time. */
const OPEN_MS = 30_000;
/** Every fourth poll also reads what may be a little older. */
const POLLS_PER_SLOW_POLL = 4;
/** Selects the newest blockhash of all. */
const FULL_LIFETIME = Number(MAX_BLOCKHASH_AGE);
const ACCOUNT_READS: Readonly<Record<ReadAttempts, CallPolicy>> = { several: READ, once: READ_ONCE };
/** A node cuts the log of a transaction, which has some hundred kilobytes at most. A page need not show more. */
const TRANSACTION_READS: Readonly<Record<ReadAttempts, CallPolicy>> = {
  several: READ,
  once: { ...READ_ONCE, maxBytes: 4 * 1024 * 1024 },
};

/**
 * Opens the chain port over any Solana JSON-RPC and its WebSocket.
 *
 * Returns the chain, once the RPC has answered a first poll.
 * @throws OperatorError with the reason when it does not answer within 30 seconds, or refuses a call.
 *
 * @example
 * ```ts
 * import { openRpcChain } from './rpc-chain.ts';
 *
 * const chain = await openRpcChain({
 *   url: new URL('https://rpc.example.com'),
 *   wsUrl: new URL('wss://rpc.example.com'),
 *   pollMs: 1_000,
 *   staleMs: 15_000,
 *   sweepMs: 60_000,
 *   maxSubscriptions: 1_000,
 *   callsPerSecond: 400,
 *   transactionsPerSecond: 3,
 *   programAccounts: null,
 *   timers: {
 *     now: Date.now,
 *     after: (ms, call) => {
 *       const timer = setTimeout(call, ms);
 *       return () => clearTimeout(timer);
 *     },
 *   },
 *   random: Math.random,
 *   onNotice: console.warn,
 * });
 * await chain.close();
 * ```
 */
export async function openRpcChain(options: RpcChainOptions): Promise<ReadChain> {
  const { callsPerSecond, transactionsPerSecond: reportsPerSecond, timers } = options;
  const pace = new CallPace({ callsPerSecond, reportsPerSecond, timers });
  const client = new RpcClient({ ...options, pace });
  const head = new ChainHead(client, options);
  try {
    const genesisHash = await firstAnswers(options, client, head);
    return new RpcChain(options, client, head, genesisHash);
  } catch (error) {
    client.close();
    throw error;
  }
}

async function firstAnswers(
  { timers, random }: RpcChainOptions,
  client: RpcClient,
  head: ChainHead,
): Promise<string> {
  const until = timers.now() + OPEN_MS;
  for (let failures = 0; ; failures++) {
    try {
      await Promise.all([head.poll(), head.pollSlowly()]);
      if (head.genesisHash !== null) return head.genesisHash;
    } catch (error) {
      if (!(error instanceof ChainUnavailable || error instanceof RpcRefusal)) throw error;
      if (error instanceof RpcRefusal || timers.now() >= until) {
        throw new OperatorError(`rpc-url, ${client.origin}, cannot be used: ${error.message}`);
      }
      await wait(computeBackoffMs(failures, random), timers);
    }
  }
}

class RpcChain implements ReadChain {
  readonly genesisHash: string;
  readonly reported?: ReportedTransactions;
  readonly #options: RpcChainOptions;
  readonly #client: RpcClient;
  readonly #head: ChainHead;
  readonly #socket: WatchedSocket;
  readonly #feed: AccountFeed;
  readonly #fees: RecentFees;
  readonly #reports: TransactionReports | null;
  readonly #statuses: StatusBatches;
  #polls = 0;
  #cancelPoll: () => void;
  #closed = false;

  constructor(options: RpcChainOptions, client: RpcClient, head: ChainHead, genesisHash: string) {
    const { timers, random, wsUrl, maxSubscriptions, staleMs, onNotice } = options;
    this.genesisHash = genesisHash;
    this.#options = options;
    this.#client = client;
    this.#head = head;
    this.#socket = new WatchedSocket({
      wsUrl,
      timers,
      random,
      maxSubscriptions,
      staleMs,
      head,
      onNotice,
    });
    this.#feed = new AccountFeed({
      client,
      pubsub: this.#socket.pubsub,
      timers,
      random,
      pollMs: options.pollMs,
      sweepMs: options.sweepMs,
      slot: () => head.slot('processed'),
      requirePlausible: (slot) => head.requirePlausible(slot),
    });
    head.onRollback = (slot) => {
      onNotice(`${client.origin} had reported false slots: accounts are read again, as of slot ${slot}`);
      this.#feed.rollBack(slot);
    };
    this.#fees = new RecentFees(client, timers, (account) => this.#feed.isWatched(account));
    this.#statuses = new StatusBatches(client, timers);
    this.#reports = this.#openReports();
    if (this.#reports !== null) this.reported = this.#reports;
    this.#cancelPoll = timers.after(options.pollMs, () => void this.#poll());
  }

  readonly slot: Chain['slot'] = (commitment) => this.#head.slot(commitment);
  readonly blockHeight: Chain['blockHeight'] = (commitment) => this.#head.height(commitment);
  readonly clock: Chain['clock'] = () => this.#head.clock();
  readonly recentPriorityFees: Chain['recentPriorityFees'] = (writable) => this.#fees.of(writable);
  readonly recentBlockhash: Chain['recentBlockhash'] = (slotsToExpiry = FULL_LIFETIME) =>
    this.#head.blockhash(slotsToExpiry);

  readonly lastValidHeightOf: Chain['lastValidHeightOf'] = (blockhash) =>
    this.#head.lastValidHeightOf(blockhash);

  readonly getAccounts: Chain['getAccounts'] = (addresses, commitment = 'processed', attempts = 'several') =>
    this.#feed.getAccounts(addresses, commitment, ACCOUNT_READS[attempts]);

  readonly getProgramAccounts: Chain['getProgramAccounts'] = async (
    program,
    commitment = 'processed',
    filter = {},
  ) => {
    const { programAccounts } = this.#options;
    if (programAccounts === null) return this.#feed.getProgramAccounts(program, commitment, filter);
    const found = await this.#feed.getAccounts(programAccounts, commitment);
    return found.filter((update) => isFilteredProgramAccount(update, program, filter));
  };

  readonly openView: Chain['openView'] = (commitment = 'confirmed', calls = CALLS_PER_VIEW) =>
    new RpcAccountView({
      client: this.#client,
      maxCalls: computeMaxCallsOfView(calls, this.#options.callsPerSecond),
      commitment,
      slot: this.#head.slot(commitment),
      requirePlausible: (slot) => this.#head.requirePlausible(slot),
      programAccounts: this.#options.programAccounts,
      candidates: (program, field, addresses) => this.#feed.candidates(program, field, addresses),
    });

  readonly watchAccounts: Chain['watchAccounts'] = (addresses, onChange) =>
    this.#feed.watchAccounts(addresses, onChange);

  readonly watchProgram: Chain['watchProgram'] = (program, onChange, filter = {}) => {
    const { programAccounts } = this.#options;
    if (programAccounts === null) return this.#feed.watchProgram(program, onChange, filter);
    return this.#feed.watchAccounts(programAccounts, (updates) => {
      const matching = updates.filter(
        (update) => update.account === null || isFilteredProgramAccount(update, program, filter),
      );
      if (matching.length > 0) onChange(matching);
    });
  };

  readonly simulate: Chain['simulate'] = (transaction, options) =>
    simulateTransaction(this.#client, transaction, options);
  readonly send: Chain['send'] = (transaction, { skipPreflight }) =>
    sendTransaction(this.#client, transaction, skipPreflight);
  readonly signatureStatuses: Chain['signatureStatuses'] = (signatures) =>
    this.#statuses.of(signatures).catch(ifRefused);
  readonly searchSignature: Chain['searchSignature'] = (signature) =>
    searchSignature(this.#client, signature).catch(ifRefused);
  readonly signaturesOf: Chain['signaturesOf'] = (address, range) =>
    fetchAddressSignatures(this.#client, address, range).catch(ifListRefused);
  readonly lamportSupply: Chain['lamportSupply'] = () => lamportSupply(this.#client);
  readonly transaction: Chain['transaction'] = (signature, attempts = 'several') =>
    fetchLandedTransaction(this.#client, signature, TRANSACTION_READS[attempts]);
  readonly callRaw: Required<Chain>['callRaw'] = (method, params) =>
    callRaw(this.#client, this.#options.url, method, params);

  readonly readNode: ReadChain['readNode'] = () => ({
    ...this.#client.reading,
    webSocket: this.#socket.reading,
  });

  unhealthy(): string | null {
    const { timers, staleMs } = this.#options;
    const now = timers.now();
    const reason = this.#head.unhealthy(now, staleMs, this.genesisHash);
    if (reason !== null) return reason;
    const age = now - this.#feed.currentAt;
    if (age <= staleMs) return null;
    const down = this.#socket.downAt(now);
    return `accounts were last read from the RPC ${age} ms ago${down === null ? '' : `; ${down}`}`;
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#cancelPoll();
    this.#feed.close();
    this.#reports?.close();
    this.#socket.pubsub.close();
    this.#client.close();
  }

  #openReports(): TransactionReports | null {
    const { wsUrl, timers, random, transactionsPerSecond, blockhashSlots, onNotice } = this.#options;
    if (transactionsPerSecond === 0) return null;
    const client = this.#client;
    return new TransactionReports({
      client: { call: (...asked) => runAs('reports', () => client.call(...asked)) },
      wsUrl,
      timers,
      random,
      readsPerSecond: transactionsPerSecond,
      blockhashSlots: blockhashSlots ?? FULL_LIFETIME,
      now: () => Number(this.#head.clock().unixTimestamp),
      requirePlausible: (slot) => this.#head.requirePlausible(slot),
      onNotice,
    });
  }

  async #poll(): Promise<void> {
    const { timers, random, pollMs } = this.#options;
    const isSlow = this.#polls++ % POLLS_PER_SLOW_POLL === 0;
    const asked: Promise<void>[] = [this.#head.poll()];
    if (isSlow) asked.push(this.#head.pollSlowly(), this.#fees.poll());
    for (const { reason } of (await Promise.allSettled(asked)).filter(isRejected)) {
      if (!(reason instanceof ChainUnavailable || reason instanceof RpcRefusal)) throw reason;
    }
    this.#socket.dropIfSilent();
    if (!this.#closed) {
      this.#cancelPoll = timers.after(varyRandomly(pollMs, random), () => void this.#poll());
    }
  }
}

function isFilteredProgramAccount(
  { account }: AccountUpdate,
  program: Address,
  filter: AccountFilter,
): boolean {
  return account !== null && account.owner === program && matchesAccountFilter(filter, account.data);
}

/** Rejects with `ChainUnavailable` when the node refuses, because a refusal says nothing about the transaction. */
function ifRefused(error: unknown): never {
  throw error instanceof RpcRefusal ? new ChainUnavailable(error.message) : error;
}

/** A node without history refuses its lists for good. */
function ifListRefused(error: unknown): never {
  if (error instanceof RpcRefusal && error.code === NO_HISTORY)
    throw new ChainUnavailable(error.message, 'refused');
  return ifRefused(error);
}

function isRejected(result: PromiseSettledResult<void>): result is PromiseRejectedResult {
  return result.status === 'rejected';
}
