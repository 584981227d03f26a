import { OperatorError } from '../../../common/operator-error.ts';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { formatForError } from '../../../common/format-for-error.ts';
import { NetworkRefused } from '../ledger/bank.ts';
import { findAccountsProblem } from '../ledger/untrusted-accounts.ts';
import type { NetworkState } from '../blocks/snapshot-codec.ts';
import { formatSnapshot, MAX_PACKED_BYTES, parseSnapshot } from './snapshot-file.ts';

const MAX_UNPACKED_BYTES = 64 * 1024 * 1024;
const MAX_ACCOUNTS = 200_000;
/** The maximum number of slots by which a snapshot may be ahead of the network. */
const MAX_SLOTS_AHEAD = 100_000_000n;
/** A hundred years, in milliseconds. */
const MAX_CLOCK_OFFSET = 3_155_760_000_000n;

const compress = promisify(gzip);
const decompress = promisify(gunzip);

/** The network for which a snapshot is unpacked. */
export interface SnapshotDestination {
  readonly genesisSeed: string;
  readonly openSlot: bigint;
}

/**
 * Packs a snapshot into bytes that another instance can import: the gzipped content of a snapshot's file.
 *
 * @throws NetworkRefused when it is too large.
 */
export async function packSnapshot(slot: bigint, state: NetworkState): Promise<Uint8Array> {
  const content = formatSnapshot(slot, state);
  if (content.length > MAX_UNPACKED_BYTES) throw tooLarge(content.length, MAX_UNPACKED_BYTES);
  const packed = await compress(content);
  if (packed.length > MAX_PACKED_BYTES) throw tooLarge(packed.length, MAX_PACKED_BYTES);
  // Copied, because a buffer of zlib may be a view of a larger one.
  return new Uint8Array(packed);
}

/**
 * Unpacks an untrusted snapshot, and checks that the network could have this state.
 *
 * @throws NetworkRefused when it is damaged, too new, too large, of a network with another seed, or when LiteSVM refuses
 *   one of its accounts.
 */
export async function unpackSnapshot(
  packed: Uint8Array,
  { genesisSeed, openSlot }: SnapshotDestination,
): Promise<{ readonly slot: bigint; readonly state: NetworkState }> {
  if (packed.length > MAX_PACKED_BYTES) throw tooLarge(packed.length, MAX_PACKED_BYTES);
  const { sequence, state } = parsed(await content(packed));
  if (state.genesisSeed !== genesisSeed) {
    throw new NetworkRefused(
      'request',
      `the snapshot is of a network with the seed ${formatForError(state.genesisSeed)}, but this one has the seed ${formatForError(genesisSeed)}: start one with that seed`,
    );
  }
  const reason = invalidState(state, openSlot) ?? findAccountsProblem(state.accounts);
  if (reason !== null) throw new NetworkRefused('request', `the snapshot cannot be used: ${reason}`);
  return { slot: sequence, state };
}

async function content(packed: Uint8Array): Promise<Buffer> {
  try {
    return await decompress(packed, { maxOutputLength: MAX_UNPACKED_BYTES });
  } catch (error) {
    const isTooLarge = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
    throw new NetworkRefused(
      'request',
      isTooLarge
        ? `the snapshot has more than ${MAX_UNPACKED_BYTES} bytes`
        : 'the snapshot is damaged, or no snapshot of Sluice: it is not whole gzip data',
    );
  }
}

function parsed(bytes: Buffer): ReturnType<typeof parseSnapshot> {
  try {
    return parseSnapshot(bytes, 'the snapshot', MAX_ACCOUNTS);
  } catch (error) {
    if (error instanceof OperatorError) throw new NetworkRefused('request', error.message);
    throw error;
  }
}

function invalidState({ chain, clockOffset, ...lists }: NetworkState, openSlot: bigint): string | null {
  if (lists.statuses.length + lists.transactions.length > 0) {
    return 'it holds transactions, so it is no named snapshot; make one with sluice snapshot save';
  }
  if (chain.open.slot > openSlot + MAX_SLOTS_AHEAD) {
    return `its slot ${chain.open.slot} is more than ${MAX_SLOTS_AHEAD} after this network's ${openSlot}`;
  }
  if (clockOffset < -MAX_CLOCK_OFFSET || clockOffset > MAX_CLOCK_OFFSET) {
    return `its clock is ${clockOffset} ms away, more than a hundred years`;
  }
  return null;
}

function tooLarge(size: number, most: number): NetworkRefused {
  return new NetworkRefused('request', `the snapshot has ${size} bytes, but can have ${most}`);
}
