import { maximum } from '../../solana/units.ts';
import { OperatorError } from '../../common/operator-error.ts';
import { toAddressBytes } from '../../solana/address.ts';
import { decodeClock } from '../../solana/programs/clock.ts';
import { SYSVAR_CLOCK } from '../../solana/program-addresses.ts';
import { requireRecord } from '../records/account-json.ts';
import type { ChainClock, RecentBlockhash } from '../chain.ts';
import { readMultipleAccounts } from './accounts/read-accounts.ts';
import { requireAddressText, requireInContext, requireU64 } from './client/read-json.ts';

/** The newest block of a commitment: its slot, and its height, the number of blocks up to it. */
export interface BlockPosition {
  readonly slot: bigint;
  readonly height: bigint;
}

/** A block position as `getEpochInfo` reports it. */
export interface EpochPosition extends BlockPosition {
  readonly epoch: bigint;
}

/** The answers of an RPC to the calls of one poll. */
export interface PollResult {
  readonly processed: EpochPosition;
  readonly confirmed: EpochPosition;
  readonly blockhash: RecentBlockhash;
  readonly clock: ChainClock;
  /** Milliseconds from the first call to the last answer. */
  readonly tookMs: number;
  /** When the last answer was received, in Unix milliseconds. */
  readonly at: number;
}

const CLOCK_SIZE = 40;
/** The maximum distance in slots between two commitments, even on a network that has stalled for hours. */
const MAX_COMMITMENT_GAP = 100_000n;
/** The maximum number of slots by which one node may be ahead of another at the same time. */
const MAX_AHEAD = 32n;
/** The minimum duration of a slot, shorter than on any real network. */
const MIN_SLOT_MS = 5;
/** The maximum difference in height between two forks, in blocks. */
const MAX_FORK = 32n;
/** The maximum number of slots by which a node may lag without contradicting the known state. */
const MAX_LAG = 150n;
/** The maximum drift of the chain's clock against the local clock between two polls, beyond the time that passed. */
const MAX_CLOCK_DRIFT_MS = 60_000;

/** The maximum number of slots that the network can advance in `ms` milliseconds, as seen through different nodes. */
export function computeMaxSlotsAhead(ms: number): bigint {
  return MAX_AHEAD + BigInt(Math.ceil(Math.max(0, ms) / MIN_SLOT_MS));
}

/** Whether one chain can have both blocks: heights grow with slots, and never faster. */
export function areConsistent(one: BlockPosition, other: BlockPosition, fork = MAX_FORK): boolean {
  const [early, late] = one.slot <= other.slot ? [one, other] : [other, one];
  const blocks = late.height - early.height;
  return blocks >= -fork && blocks <= late.slot - early.slot + fork;
}

/**
 * Checks that the answers of one poll are consistent, so that a single false answer is noticed.
 *
 * @param blockhashLifetime - The number of blocks after its own in which a blockhash can be used.
 * @throws OperatorError that names the two values that contradict each other.
 */
export function requireConsistent(
  { processed, confirmed, blockhash, clock, tookMs }: PollResult,
  blockhashLifetime: bigint,
): void {
  requireClose(processed.slot, confirmed.slot);
  for (const { slot, height } of [processed, confirmed]) requireHeight(slot, height);
  requireFit(processed, confirmed);
  const newest = maximum(processed.slot, confirmed.slot);
  const last = newest + computeMaxSlotsAhead(tookMs);
  if (blockhash.slot > last || clock.slot > last) {
    const [what, slot] = blockhash.slot > last ? ['blockhash', blockhash.slot] : ['clock', clock.slot];
    throw new OperatorError(`a ${what} as of slot ${slot} together with slot ${newest}`);
  }
  requireFit(confirmed, toBlockPosition(blockhash, blockhashLifetime));
  const epochs =
    clock.epoch > processed.epoch ? clock.epoch - processed.epoch : processed.epoch - clock.epoch;
  if (epochs > 1n) throw new OperatorError(`a clock of epoch ${clock.epoch} in epoch ${processed.epoch}`);
}

/** Whether one network can report `next` within `ms` milliseconds after `known`, from a node that may lag a little. */
export function canFollow(known: PollResult, next: PollResult, ms: number): boolean {
  const ahead = computeMaxSlotsAhead(ms);
  const fromProcessed = maximum(known.processed.slot, next.confirmed.slot);
  const clockDrift = Math.abs(computeClockOffset(next) - computeClockOffset(known));
  return (
    next.confirmed.slot <= known.confirmed.slot + ahead &&
    next.confirmed.slot >= known.confirmed.slot - MAX_LAG &&
    next.processed.slot <= fromProcessed + ahead &&
    next.processed.slot >= known.processed.slot - MAX_LAG &&
    areConsistent(known.confirmed, next.confirmed) &&
    clockDrift <= MAX_CLOCK_DRIFT_MS + ms
  );
}

/** The chain's clock minus the local clock, in milliseconds. */
export function computeClockOffset({ clock, at }: Pick<PollResult, 'clock' | 'at'>): number {
  return Number(clock.unixTimestamp) * 1_000 - at;
}

/** The block that ended with this blockhash. */
function toBlockPosition({ slot, lastValidBlockHeight }: RecentBlockhash, lifetime: bigint): BlockPosition {
  const height = lastValidBlockHeight - lifetime;
  return { slot, height: height > 0n ? height : 0n };
}

function requireClose(one: bigint, other: bigint): void {
  const gap = one > other ? one - other : other - one;
  if (gap > MAX_COMMITMENT_GAP) throw new OperatorError(`slots ${one} and ${other} at the same time`);
}

function requireHeight(slot: bigint, height: bigint): void {
  if (height > slot) throw new OperatorError(`block height ${height} at slot ${slot}, which cannot be more`);
}

function requireFit(one: BlockPosition, other: BlockPosition): void {
  if (areConsistent(one, other)) return;
  throw new OperatorError(
    `block height ${one.height} at slot ${one.slot}, but ${other.height} at slot ${other.slot}`,
  );
}

/** Reads the result of `getEpochInfo`. */
export function readEpochInfo(result: unknown): EpochPosition {
  const { absoluteSlot, blockHeight, epoch } = requireRecord(result, 'result');
  return {
    slot: requireU64(absoluteSlot, 'result.absoluteSlot'),
    height: requireU64(blockHeight, 'result.blockHeight'),
    epoch: requireU64(epoch, 'result.epoch'),
  };
}

/** Reads the result of `getLatestBlockhash`. */
export function readBlockhash(result: unknown, fetchedAt: number): RecentBlockhash {
  const { slot, value } = requireInContext(result);
  const { blockhash: text, lastValidBlockHeight } = requireRecord(value, 'result.value');
  const blockhash = requireAddressText(text, 'result.value.blockhash');
  return {
    blockhash,
    bytes: toAddressBytes(blockhash),
    slot,
    fetchedAt,
    lastValidBlockHeight: requireU64(lastValidBlockHeight, 'result.value.lastValidBlockHeight'),
  };
}

/** Reads the result of `getMultipleAccounts` for the Clock sysvar. */
export function readClock(result: unknown): ChainClock {
  const data = readMultipleAccounts(result, [SYSVAR_CLOCK])[0]?.account?.data;
  if (data?.length !== CLOCK_SIZE) throw new OperatorError(`the Clock sysvar must have ${CLOCK_SIZE} bytes`);
  return decodeClock(data);
}
