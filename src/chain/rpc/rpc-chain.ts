import { OperatorError } from '../../common/operator-error.ts';
import type { Address } from '../../solana/address.ts';
import type { Timers } from '../../common/ports/timers.ts';
import { passesFilter } from '../account-filter.ts';
import { asRecord } from '../account-json.ts';
import { type AccountFilter, type AccountUpdate, type Chain, ChainUnavailable } from '../chain.ts';
import { AccountFeed } from './accounts/account-feed.ts';
import { backoffMs, jittered } from './client/backoff.ts';
import { Head } from './head.ts';
import { landedTransaction, sendTransaction, simulateTransaction } from './submission/submit.ts';
import { RecentFees } from './submission/priority-fees.ts';
import { PubSub } from './client/pubsub.ts';
import { asU64 } from './client/read-json.ts';
import { RpcClient, RpcRefusal } from './client/rpc-client.ts';
import { searchSignature, StatusBatches } from './submission/status-batches.ts';

export interface RpcChainOptions {
  readonly url: URL;
  readonly wsUrl: URL;
  /** Milliseconds between questions for slots, blockhash and clock, and for accounts that no subscription tells of. */
  readonly pollMs: number;
  /** Beyond this age, in milliseconds, what was read last counts as out of date. */
  readonly staleMs: number;
  /** Milliseconds between two reads of all watched accounts. */
  readonly sweepMs: number;
  readonly maxSubscriptions: number;
  /** In place of all accounts of a program: the only ones that it is said to have. Null: the RPC is asked. */
  readonly programAccounts: readonly Address[] | null;
  readonly timers: Timers;
  /** From 0 to 1. */
  readonly random: () => number;
  /** Told what whoever runs the program may want to know, as a sentence. */
  readonly onNotice: (message: string) => void;
}

/** How long the RPC may take until it answers for the first time. */
const OPEN_MS = 30_000;
/** With every so many polls that is asked for which may be known later. */
const SLOW_POLL = 4;
/** Told of no slot for so long while so many went by, the WebSocket is taken for dead. */
const SILENT_MS = 5_000;
const SILENT_SLOTS = 8n;
/** A blockhash of any age does. */
const FULL_AGE = 150;

/**
 * The chain port over any Solana JSON-RPC and its WebSocket.
 * @throws OperatorError when the RPC does not answer, with what it said
 */
export async function openRpcChain(options: RpcChainOptions): Promise<Chain> {
  const client = new RpcClient(options);
  const head = new Head(client, options.timers, options.staleMs);
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
  head: Head,
): Promise<string> {
  const until = timers.now() + OPEN_MS;
  for (let failures = 0; ; failures++) {
    try {
      await Promise.all([head.poll(), head.pollSlowly()]);
      if (head.genesisHash !== null) return head.genesisHash;
    } catch (error) {
      const isPassing = error instanceof ChainUnavailable && timers.now() < until;
      if (!(isPassing || error instanceof ChainUnavailable || error instanceof RpcRefusal)) throw error;
      if (!isPassing) throw new OperatorError(`rpc-url, ${client.origin}, cannot be used: ${error.message}`);
      await new Promise<void>((resolve) => timers.after(backoffMs(failures, random), resolve));
    }
  }
}

class RpcChain implements Chain {
  readonly genesisHash: string;
  readonly #options: RpcChainOptions;
  readonly #client: RpcClient;
  readonly #head: Head;
  readonly #pubsub: PubSub;
  readonly #feed: AccountFeed;
  readonly #fees: RecentFees;
  readonly #statuses: StatusBatches;
  /** Null while it is up. */
  #socketDown: { readonly since: number; readonly reason: string } | null;
  /** The newest slot that the WebSocket told, and when; null while it is not to tell. */
  #toldSlot: { slot: bigint; at: number } | null = null;
  #polls = 0;
  #cancelPoll: () => void;
  #closed = false;

  constructor(options: RpcChainOptions, client: RpcClient, head: Head, genesisHash: string) {
    const { timers, random, wsUrl: url, maxSubscriptions } = options;
    this.genesisHash = genesisHash;
    this.#options = options;
    this.#client = client;
    this.#head = head;
    this.#socketDown = { since: timers.now(), reason: 'it is not connected yet' };
    this.#pubsub = new PubSub({
      url,
      timers,
      random,
      maxSubscriptions,
      onUp: () => this.#onUp(),
      onDown: (reason) => this.#onDown(reason),
    });
    this.#followSlots();
    this.#feed = new AccountFeed({
      ...options,
      client,
      pubsub: this.#pubsub,
      slot: () => head.slot('processed'),
      requirePossible: (slot) => head.requirePossible(slot),
    });
    head.onTakenBack = (slot) => {
      options.onNotice(`${client.origin} told what is not so: accounts are read again, as of slot ${slot}`);
      this.#feed.takeBack(slot);
    };
    this.#fees = new RecentFees(client, timers, (account) => this.#feed.isWatched(account));
    this.#statuses = new StatusBatches(client, timers);
    this.#cancelPoll = timers.after(options.pollMs, () => void this.#poll());
  }

  readonly slot: Chain['slot'] = (commitment) => this.#head.slot(commitment);
  readonly blockHeight: Chain['blockHeight'] = (commitment) => this.#head.height(commitment);
  readonly clock: Chain['clock'] = () => this.#head.clock();
  readonly recentPriorityFees: Chain['recentPriorityFees'] = (writable) => this.#fees.of(writable);
  readonly recentBlockhash: Chain['recentBlockhash'] = (slotsToExpiry = FULL_AGE) =>
    this.#head.blockhash(slotsToExpiry);

  readonly getAccounts: Chain['getAccounts'] = (addresses, commitment = 'processed') =>
    this.#feed.getAccounts(addresses, commitment);

  readonly getProgramAccounts: Chain['getProgramAccounts'] = async (
    program,
    commitment = 'processed',
    filter = {},
  ) => {
    const { programAccounts } = this.#options;
    if (programAccounts === null) return this.#feed.getProgramAccounts(program, commitment, filter);
    const found = await this.#feed.getAccounts(programAccounts, commitment);
    return found.filter((update) => isOf(update, program, filter));
  };

  readonly watchAccounts: Chain['watchAccounts'] = (addresses, onChange) =>
    this.#feed.watchAccounts(addresses, onChange);

  readonly watchProgram: Chain['watchProgram'] = (program, onChange, filter = {}) => {
    const { programAccounts } = this.#options;
    if (programAccounts === null) return this.#feed.watchProgram(program, onChange, filter);
    return this.#feed.watchAccounts(programAccounts, (updates) => {
      const told = updates.filter((update) => update.account === null || isOf(update, program, filter));
      if (told.length > 0) onChange(told);
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
  readonly transaction: Chain['transaction'] = (signature) => landedTransaction(this.#client, signature);

  unhealthy(): string | null {
    const { timers, staleMs } = this.#options;
    const now = timers.now();
    const reason = this.#head.unhealthy(now, staleMs, this.genesisHash);
    if (reason !== null) return reason;
    const age = now - this.#feed.currentAt;
    if (age <= staleMs) return null;
    const down = this.#socketDown;
    const why =
      down === null ? '' : `; its WebSocket has been down for ${now - down.since} ms: ${down.reason}`;
    return `accounts were last read from the RPC ${age} ms ago${why}`;
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#cancelPoll();
    this.#feed.close();
    this.#pubsub.close();
    this.#client.close();
  }

  async #poll(): Promise<void> {
    const { timers, random, pollMs } = this.#options;
    const isSlow = this.#polls++ % SLOW_POLL === 0;
    const asked: Promise<void>[] = [this.#head.poll()];
    if (isSlow) asked.push(this.#head.pollSlowly(), this.#fees.poll());
    for (const { reason } of (await Promise.allSettled(asked)).filter(isRejected)) {
      if (!(reason instanceof ChainUnavailable || reason instanceof RpcRefusal)) throw reason;
    }
    this.#dropSilentSocket();
    if (!this.#closed) {
      this.#cancelPoll = timers.after(jittered(pollMs, random), () => void this.#poll());
    }
  }

  #followSlots(): void {
    this.#pubsub.follow({
      kind: 'slot',
      params: [],
      onActive: () => {
        this.#toldSlot = { slot: this.#head.slot('processed'), at: this.#options.timers.now() };
      },
      onLost: () => {
        this.#toldSlot = null;
        this.#head.forgetTold();
      },
      onTold: (result) => {
        const { slot, root } = asRecord(result, 'result');
        const told = asU64(slot, 'result.slot');
        this.#head.tell(told, asU64(root, 'result.root'));
        this.#toldSlot = { slot: told, at: this.#options.timers.now() };
      },
    });
  }

  /** A connection can be open at both ends and carry nothing: slots are told several times a second. */
  #dropSilentSocket(): void {
    const told = this.#toldSlot;
    if (told === null) return;
    const silence = this.#options.timers.now() - told.at;
    const missed = this.#head.slot('confirmed') - told.slot;
    if (silence > Math.min(SILENT_MS, this.#options.staleMs) && missed > SILENT_SLOTS) {
      this.#pubsub.drop(`it told of no slot for ${silence} ms, while ${missed} went by`);
    }
  }

  #onUp(): void {
    const down = this.#socketDown;
    this.#socketDown = null;
    if (down !== null) this.#options.onNotice(`the WebSocket of ${this.#options.wsUrl.origin} is up`);
  }

  #onDown(reason: string): void {
    const isNew = this.#socketDown === null;
    const since = this.#socketDown?.since ?? this.#options.timers.now();
    this.#socketDown = { since, reason };
    if (isNew) {
      const { origin } = this.#options.wsUrl;
      this.#options.onNotice(`the WebSocket of ${origin} is down, accounts are read instead: ${reason}`);
    }
  }
}

function isOf({ account }: AccountUpdate, program: Address, filter: AccountFilter): boolean {
  return account !== null && account.owner === program && passesFilter(filter, account.data);
}

/** A node that will not search has not denied anything. */
function ifRefused(error: unknown): never {
  throw error instanceof RpcRefusal ? new ChainUnavailable(error.message) : error;
}

function isRejected(result: PromiseSettledResult<void>): result is PromiseRejectedResult {
  return result.status === 'rejected';
}
