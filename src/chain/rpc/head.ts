import { OperatorError } from '../../operator-error.ts';
import { addressBytes } from '../../solana/address.ts';
import { ByteReader } from '../../solana/byte-reader.ts';
import { SYSVAR_CLOCK } from '../../solana/programs.ts';
import type { Timers } from '../../ports/timers.ts';
import { asRecord } from '../account-json.ts';
import { type ChainClock, ChainUnavailable, type Commitment, type RecentBlockhash } from '../chain.ts';
import { MAX_BLOCKHASH_AGE, RecentBlockhashes } from '../recent-blockhashes.ts';
import { accountConfig, readMultipleAccounts } from './read-accounts.ts';
import { asAddress, asInContext, asText, asU64 } from './read-json.ts';
import { POLL, type RpcClient, RpcNotNow, RpcRefusal } from './rpc-client.ts';

const CLOCK_SIZE = 40;
const METHOD_NOT_FOUND = -32601;
/** No two commitments are further apart, not even when a network stands still for hours. */
const MAX_APART = 100_000n;

/** Where a commitment stands, and when that last changed. */
interface Standing {
  slot: bigint;
  height: bigint;
}

/** What the RPC answered in one go. */
interface Answers {
  readonly processed: Standing;
  readonly confirmed: Standing;
  readonly blockhash: RecentBlockhash;
  readonly clock: ChainClock;
}

/**
 * Slots, heights, the clock and blockhashes as an RPC tells them, kept to answer from memory. All only ever go forward:
 * behind one URL there may be many nodes, and some of them lag.
 */
export class Head {
  readonly #client: RpcClient;
  readonly #timers: Timers;
  readonly #standings: Record<Commitment, Standing> = {
    processed: { slot: 0n, height: 0n },
    confirmed: { slot: 0n, height: 0n },
    finalized: { slot: 0n, height: 0n },
  };
  readonly #blockhashes = new RecentBlockhashes();
  #blockhashSlot = 0n;
  #clock: ChainClock = { slot: 0n, epoch: 0n, unixTimestamp: 0n };
  /** The confirmed slot of the last answer, which may be behind. */
  #answered = 0n;
  #answeredAt: number;
  #failure = 'it was not asked yet';
  /** When the newest confirmed slot last became another. */
  #movedAt: number;
  /** What the RPC says of itself. */
  #complaint: string | null = null;
  #genesisHash: string | null = null;

  constructor(client: RpcClient, timers: Timers) {
    this.#client = client;
    this.#timers = timers;
    this.#answeredAt = timers.now();
    this.#movedAt = this.#answeredAt;
  }

  /** As told last; null before the first slow poll. */
  get genesisHash(): string | null {
    return this.#genesisHash;
  }

  slot(commitment: Commitment): bigint {
    return this.#standings[commitment].slot;
  }

  height(commitment: Commitment): bigint {
    return this.#standings[commitment].height;
  }

  clock(): ChainClock {
    const { processed } = this.#standings;
    return processed.slot > this.#clock.slot ? { ...this.#clock, slot: processed.slot } : this.#clock;
  }

  blockhash(slotsToExpiry: number): RecentBlockhash {
    return this.#blockhashes.pick(slotsToExpiry, this.#standings.processed.height);
  }

  /** What the WebSocket tells as it happens. @throws OperatorError for a slot that cannot be */
  tell(processed: bigint, finalized: bigint): void {
    checkTogether(processed, this.#standings.confirmed.slot);
    forward(this.#standings.processed, { slot: processed, height: 0n });
    forward(this.#standings.finalized, { slot: finalized, height: 0n });
  }

  /** Asks for what changes with every slot. @throws ChainUnavailable, RpcRefusal */
  async poll(): Promise<void> {
    try {
      this.#take(await this.#ask());
    } catch (error) {
      this.#failure = error instanceof Error ? error.message : String(error);
      throw error instanceof OperatorError ? new ChainUnavailable(error.message) : error;
    }
  }

  /** Asks for what may be known a little later. @throws ChainUnavailable, RpcRefusal */
  async pollSlowly(): Promise<void> {
    const [finalized, complaint, genesisHash] = await Promise.all([
      this.#standing('finalized'),
      this.#health(),
      this.#client.call('getGenesisHash', [], (result) => asAddress(result, 'result'), POLL),
    ]);
    forward(this.#standings.finalized, finalized);
    this.#complaint = complaint;
    this.#genesisHash = genesisHash;
  }

  /** Null when all is well at `now`; otherwise what is not. */
  unhealthy(now: number, staleMs: number, genesisHash: string): string | null {
    const { processed, confirmed } = this.#standings;
    if (this.#genesisHash !== null && this.#genesisHash !== genesisHash) {
      return `the RPC is of another network now: its genesis hash is ${this.#genesisHash}, not ${genesisHash}`;
    }
    const silence = now - this.#answeredAt;
    if (silence > staleMs) return `the RPC has not answered for ${silence} ms: ${this.#failure}`;
    const still = now - this.#movedAt;
    if (still > staleMs && this.#answered < confirmed.slot) {
      const behind = confirmed.slot - this.#answered;
      return `the RPC lags: it answers as of slot ${this.#answered}, ${behind} slots behind the newest that it told`;
    }
    if (still > staleMs) return `the RPC has told no slot newer than ${confirmed.slot} for ${still} ms`;
    if (this.#complaint !== null) return `the RPC says of itself: ${this.#complaint}`;
    const unconfirmed = processed.slot - confirmed.slot;
    if (unconfirmed <= MAX_BLOCKHASH_AGE) return null;
    return `the RPC tells slot ${processed.slot}, but has confirmed none of the last ${unconfirmed}`;
  }

  async #ask(): Promise<Answers> {
    const [processed, confirmed, blockhash, clock] = await Promise.all([
      this.#standing('processed'),
      this.#standing('confirmed'),
      this.#client.call(
        'getLatestBlockhash',
        [{ commitment: 'confirmed' }],
        (result) => readBlockhash(result, this.#timers.now()),
        POLL,
      ),
      this.#client.call('getMultipleAccounts', [[SYSVAR_CLOCK], accountConfig('processed')], readClock, POLL),
    ]);
    checkTogether(processed.slot, confirmed.slot);
    return { processed, confirmed, blockhash, clock };
  }

  #take({ processed, confirmed, blockhash, clock }: Answers): void {
    const now = this.#timers.now();
    this.#answeredAt = now;
    this.#answered = confirmed.slot;
    if (confirmed.slot > this.#standings.confirmed.slot) this.#movedAt = now;
    forward(this.#standings.processed, processed);
    forward(this.#standings.confirmed, confirmed);
    forward(this.#standings.processed, this.#standings.confirmed);
    // Not only later ones: a network that has just begun tells what it has as of slot 0.
    if (clock.slot >= this.#clock.slot) this.#clock = clock;
    if (blockhash.slot < this.#blockhashSlot) return;
    this.#blockhashSlot = blockhash.slot;
    this.#blockhashes.add(blockhash, this.#standings.processed.height);
  }

  #standing(commitment: Commitment): Promise<Standing> {
    return this.#client.call('getEpochInfo', [{ commitment }], readStanding, POLL);
  }

  /** Null also from nodes that do not know the question. */
  async #health(): Promise<string | null> {
    try {
      const answer = await this.#client.call('getHealth', [], (result) => asText(result, 'result'), POLL);
      return answer === 'ok' ? null : answer.slice(0, 200);
    } catch (error) {
      if (error instanceof RpcRefusal && error.code === METHOD_NOT_FOUND) return null;
      if (error instanceof RpcNotNow) return error.message;
      throw error;
    }
  }
}

/** One false slot far ahead would make every true one look like a node that lags. */
function checkTogether(one: bigint, other: bigint): void {
  const apart = one > other ? one - other : other - one;
  if (apart > MAX_APART) throw new OperatorError(`slots ${one} and ${other} are told at the same time`);
}

function forward(known: Standing, { slot, height }: Standing): void {
  if (slot > known.slot) known.slot = slot;
  if (height > known.height) known.height = height;
}

function readStanding(result: unknown): Standing {
  const { absoluteSlot, blockHeight } = asRecord(result, 'result');
  return {
    slot: asU64(absoluteSlot, 'result.absoluteSlot'),
    height: asU64(blockHeight, 'result.blockHeight'),
  };
}

function readBlockhash(result: unknown, fetchedAt: number): RecentBlockhash {
  const { slot, value } = asInContext(result);
  const { blockhash: text, lastValidBlockHeight } = asRecord(value, 'result.value');
  const blockhash = asAddress(text, 'result.value.blockhash');
  return {
    ...{ blockhash, bytes: addressBytes(blockhash), slot, fetchedAt },
    lastValidBlockHeight: asU64(lastValidBlockHeight, 'result.value.lastValidBlockHeight'),
  };
}

function readClock(result: unknown): ChainClock {
  const data = readMultipleAccounts(result, [SYSVAR_CLOCK])[0]?.account?.data;
  if (data?.length !== CLOCK_SIZE) throw new OperatorError(`the Clock sysvar must have ${CLOCK_SIZE} bytes`);
  const reader = new ByteReader(data, 'Clock sysvar');
  const slot = reader.u64();
  reader.skip(8);
  const epoch = reader.u64();
  reader.skip(8);
  return { slot, epoch, unixTimestamp: reader.i64() };
}
