import { OperatorError } from '../../../common/operator-error.ts';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { CommitWitness, describeWitnessRemedy } from '../../../common/commit-witness.ts';
import { LayoutInvalid } from '../../../solana/codec/byte-reader.ts';
import { FILE_HEADER, FileKind, openFile, readFrames } from './log-frames.ts';
import { decodeSlotRecord, type SlotRecord } from '../blocks/slot-record.ts';
import type { NetworkState } from '../blocks/snapshot-codec.ts';
import { readSnapshot } from './snapshot-file.ts';

/** The contents of the network's folder. */
export interface RecoveredNetwork {
  readonly snapshot: NetworkState;
  /** The slots after the snapshot, in order. */
  readonly records: readonly SlotRecord[];
  /** The sequence number of the last record, or of the snapshot when no record follows it. */
  readonly sequence: bigint;
  /** The newest log, and its length in complete frames. Null when no log follows the snapshot. */
  readonly log: { readonly path: string; readonly whole: number } | null;
  /** The files that contain this data. */
  readonly files: readonly string[];
  /** Files that the snapshot supersedes. */
  readonly superseded: readonly string[];
}

const FILE_NAME = /^(snapshot|log)-(\d{20})\.dat$/;

export function getSnapshotPath(folder: string, sequence: bigint): string {
  return join(folder, `snapshot-${sequence.toString().padStart(20, '0')}.dat`);
}

export function getLogPath(folder: string, sequence: bigint): string {
  return join(folder, `log-${sequence.toString().padStart(20, '0')}.dat`);
}

/** Returns the witness of the log's number of records, because a truncated log looks like one with a torn tail. */
export function createLogWitness(folder: string): CommitWitness {
  return CommitWitness.of(join(folder, 'network'));
}

/** Whether the folder contains a network. */
export function hasNetwork(folder: string): boolean {
  return existsSync(folder) && readdirSync(folder).some((name) => FILE_NAME.test(name));
}

/**
 * Reads the newest snapshot and the log after it. Creates the folder if it is missing, and removes
 * files that were incomplete when the last process ended.
 *
 * Returns null when the folder contains no network.
 * @throws OperatorError when data is damaged, except at the end of the log, or when durable records are missing.
 */
export function recover(folder: string): RecoveredNetwork | null {
  mkdirSync(folder, { recursive: true });
  const names = readdirSync(folder);
  for (const name of names) if (name.endsWith('.dat.tmp')) rmSync(join(folder, name));
  const snapshots = parseSequences(names, 'snapshot');
  const logs = parseSequences(names, 'log');
  const newest = snapshots.at(-1);
  if (newest === undefined) {
    if (logs.length === 0) {
      refuseLess(folder, null);
      return null;
    }
    throw new OperatorError(
      `${folder} has a log but no snapshot that it could follow. Use another data folder`,
    );
  }
  const { sequence, state } = readSnapshot(getSnapshotPath(folder, newest));
  const following = logs.filter((log) => log >= sequence);
  const replayed = replay(folder, following, sequence, state);
  refuseLess(folder, replayed.sequence);
  const superseded = [
    ...snapshots.slice(0, -1).map((old) => getSnapshotPath(folder, old)),
    ...logs.filter((log) => log < sequence).map((old) => getLogPath(folder, old)),
  ];
  const files = [getSnapshotPath(folder, newest), ...following.map((log) => getLogPath(folder, log))];
  return { snapshot: state, ...replayed, files, superseded };
}

/** @param sequence - That of the last record. Null when there is no network. */
function refuseLess(folder: string, sequence: bigint | null): void {
  const witness = createLogWitness(folder);
  const { expected } = witness;
  if (expected === null || (sequence !== null && sequence >= expected)) return;
  const found = sequence === null ? 'has no network' : `ends with record ${sequence}`;
  throw new OperatorError(
    `${folder} ${found}, but record ${expected} was durable: the newest log or snapshot was damaged, cut short, removed, or replaced by an older copy. ${describeWitnessRemedy(witness.path)}`,
  );
}

function replay(folder: string, logs: readonly bigint[], start: bigint, snapshot: NetworkState) {
  const records: SlotRecord[] = [];
  let sequence = start;
  let tipHash = snapshot.chain.blocks.at(-1)?.hash ?? new Uint8Array(0);
  let log: RecoveredNetwork['log'] = null;
  const begun = withoutUnbegun(folder, logs);
  for (const [index, first] of begun.entries()) {
    const path = getLogPath(folder, first);
    const last = index === begun.length - 1;
    const file = readFileSync(path);
    const frames = readLog(file, path, last);
    for (const payload of frames.payloads) {
      const record = decodeLogRecord(payload, path);
      if (record.sequence !== sequence + 1n || Buffer.compare(record.parentHash, tipHash) !== 0) {
        throw new OperatorError(
          `${path} does not follow what comes before it: expected record ${sequence + 1n}, found ${record.sequence} ` +
            `of slot ${record.block.slot}. Restore the missing files from a copy, or use another data folder`,
        );
      }
      sequence = record.sequence;
      tipHash = record.block.hash;
      records.push(record);
    }
    log = { path, whole: frames.whole };
  }
  return { records, sequence, log };
}

/** Leaves out logs without a complete header, which a process left when it ended. They contain no records. */
function withoutUnbegun(folder: string, logs: readonly bigint[]): readonly bigint[] {
  const newest = logs.at(-1);
  if (newest === undefined) return logs;
  const path = getLogPath(folder, newest);
  const file = readFileSync(path);
  if (file.length >= FILE_HEADER && file.some((byte) => byte !== 0)) return logs;
  rmSync(path);
  return logs.slice(0, -1);
}

function readLog(file: Buffer, path: string, last: boolean) {
  const frames = readFrames(openFile(file, FileKind.LOG, path).body, path);
  if (!last && frames.whole !== file.length) {
    throw new OperatorError(
      `${path} is damaged: it ends at byte ${frames.whole} in a record that is not whole, but another log follows. ` +
        'Restore the file from a copy, or use another data folder',
    );
  }
  return frames;
}

function decodeLogRecord(payload: Uint8Array, path: string): SlotRecord {
  try {
    return decodeSlotRecord(payload);
  } catch (error) {
    if (!(error instanceof LayoutInvalid)) throw error;
    throw new OperatorError(`${path} is damaged: ${error.message}`);
  }
}

/** Returns the sequence numbers in ascending order. */
function parseSequences(names: readonly string[], kind: string): bigint[] {
  return names
    .map((name) => FILE_NAME.exec(name))
    .filter((match) => match?.[1] === kind)
    .map((match) => BigInt(match?.[2] ?? 0))
    .sort((left, right) => (left < right ? -1 : 1));
}
