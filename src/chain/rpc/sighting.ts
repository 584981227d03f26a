import { OperatorError } from '../../common/operator-error.ts';
import { addressBytes } from '../../solana/address.ts';
import { ByteReader } from '../../solana/codec/byte-reader.ts';
import { SYSVAR_CLOCK } from '../../solana/program-addresses.ts';
import { asRecord } from '../account-json.ts';
import type { ChainClock, RecentBlockhash } from '../chain.ts';
import { MAX_BLOCKHASH_AGE } from '../recent-blockhashes.ts';
import { readMultipleAccounts } from './accounts/read-accounts.ts';
import { asAddress, asInContext, asU64 } from './client/read-json.ts';

/** The last block of a commitment: its slot, and how many blocks there are up to it. */
export interface Standing {
  readonly slot: bigint;
  readonly height: bigint;
}

/** A standing as `getEpochInfo` answers it. */
export interface EpochStanding extends Standing {
  readonly epoch: bigint;
}

/** What an RPC answered in one go. */
export interface Sighting {
  readonly processed: EpochStanding;
  readonly confirmed: EpochStanding;
  readonly blockhash: RecentBlockhash;
  readonly clock: ChainClock;
  /** Milliseconds from the question to the last answer. */
  readonly tookMs: number;
  /** Unix milliseconds at which the last answer came. */
  readonly at: number;
}

const CLOCK_SIZE = 40;
/** No two commitments are further apart, not even when a network stands still for hours. */
const MAX_APART = 100_000n;
/** Slots by which what one node tells may be ahead of what another tells at the same time. */
const MAX_AHEAD = 32n;
/** Shorter slots than those of any network. */
const MIN_SLOT_MS = 5;
/** Blocks by which the heights of two forks may differ. */
const MAX_FORK = 32n;
/** Slots by which a node may lag while what it tells is still of the same world. */
const MAX_LAG = 150n;
/** Milliseconds by which the chain's clock may move against the local one between two answers, besides standing still. */
const MAX_CLOCK_MOVE_MS = 60_000;

/** The most slots by which what is told may be ahead of what was told so many milliseconds before. */
export function aheadWithin(ms: number): bigint {
  return MAX_AHEAD + BigInt(Math.ceil(Math.max(0, ms) / MIN_SLOT_MS));
}

/** Whether both can be true of one chain: heights grow with slots, and by no more than they do. */
export function fits(one: Standing, other: Standing, fork = MAX_FORK): boolean {
  const [early, late] = one.slot <= other.slot ? [one, other] : [other, one];
  const blocks = late.height - early.height;
  return blocks >= -fork && blocks <= late.slot - early.slot + fork;
}

/** One false answer among those of one poll is told from the true ones. @throws OperatorError */
export function requireTogether({ processed, confirmed, blockhash, clock, tookMs }: Sighting): void {
  requireClose(processed.slot, confirmed.slot);
  for (const { slot, height } of [processed, confirmed]) requireHeight(slot, height);
  requireFit(processed, confirmed);
  const newest = larger(processed.slot, confirmed.slot);
  const last = newest + aheadWithin(tookMs);
  if (blockhash.slot > last || clock.slot > last) {
    const [what, slot] = blockhash.slot > last ? ['blockhash', blockhash.slot] : ['clock', clock.slot];
    throw new OperatorError(`a ${what} as of slot ${slot} together with slot ${newest}`);
  }
  requireFit(confirmed, blockOf(blockhash));
  const epochs =
    clock.epoch > processed.epoch ? clock.epoch - processed.epoch : processed.epoch - clock.epoch;
  if (epochs > 1n) throw new OperatorError(`a clock of epoch ${clock.epoch} in epoch ${processed.epoch}`);
}

/** Whether the second can be what the same network tells within `ms` of the first, by a node that may lag a little. */
export function continues(known: Sighting, next: Sighting, ms: number): boolean {
  const ahead = aheadWithin(ms);
  const fromProcessed = larger(known.processed.slot, next.confirmed.slot);
  const clockMove = Math.abs(clockOffset(next) - clockOffset(known));
  return (
    next.confirmed.slot <= known.confirmed.slot + ahead &&
    next.confirmed.slot >= known.confirmed.slot - MAX_LAG &&
    next.processed.slot <= fromProcessed + ahead &&
    next.processed.slot >= known.processed.slot - MAX_LAG &&
    fits(known.confirmed, next.confirmed) &&
    clockMove <= MAX_CLOCK_MOVE_MS + ms
  );
}

/** By how many milliseconds the chain's clock is ahead of the local one; less than zero when it is behind. */
export function clockOffset({ clock, at }: Pick<Sighting, 'clock' | 'at'>): number {
  return Number(clock.unixTimestamp) * 1_000 - at;
}

/** The block that a blockhash is of. */
function blockOf({ slot, lastValidBlockHeight }: RecentBlockhash): Standing {
  const height = lastValidBlockHeight - MAX_BLOCKHASH_AGE;
  return { slot, height: height > 0n ? height : 0n };
}

export function larger(one: bigint, other: bigint): bigint {
  if (one > other) return one;
  return other;
}

function requireClose(one: bigint, other: bigint): void {
  const apart = one > other ? one - other : other - one;
  if (apart > MAX_APART) throw new OperatorError(`slots ${one} and ${other} at the same time`);
}

function requireHeight(slot: bigint, height: bigint): void {
  if (height > slot) throw new OperatorError(`block height ${height} at slot ${slot}, which cannot be more`);
}

function requireFit(one: Standing, other: Standing): void {
  if (fits(one, other)) return;
  throw new OperatorError(
    `block height ${one.height} at slot ${one.slot}, but ${other.height} at slot ${other.slot}`,
  );
}

/** The result of `getEpochInfo`. */
export function readStanding(result: unknown): EpochStanding {
  const { absoluteSlot, blockHeight, epoch } = asRecord(result, 'result');
  return {
    slot: asU64(absoluteSlot, 'result.absoluteSlot'),
    height: asU64(blockHeight, 'result.blockHeight'),
    epoch: asU64(epoch, 'result.epoch'),
  };
}

/** The result of `getLatestBlockhash`. */
export function readBlockhash(result: unknown, fetchedAt: number): RecentBlockhash {
  const { slot, value } = asInContext(result);
  const { blockhash: text, lastValidBlockHeight } = asRecord(value, 'result.value');
  const blockhash = asAddress(text, 'result.value.blockhash');
  return {
    blockhash,
    bytes: addressBytes(blockhash),
    slot,
    fetchedAt,
    lastValidBlockHeight: asU64(lastValidBlockHeight, 'result.value.lastValidBlockHeight'),
  };
}

/** The result of `getMultipleAccounts` for the Clock sysvar. */
export function readClock(result: unknown): ChainClock {
  const data = readMultipleAccounts(result, [SYSVAR_CLOCK])[0]?.account?.data;
  if (data?.length !== CLOCK_SIZE) throw new OperatorError(`the Clock sysvar must have ${CLOCK_SIZE} bytes`);
  const reader = new ByteReader(data, 'Clock sysvar');
  const slot = reader.u64();
  reader.skip(8);
  const epoch = reader.u64();
  reader.skip(8);
  return { slot, epoch, unixTimestamp: reader.i64() };
}
