import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { OperatorError } from './operator-error.ts';

const MAGIC = Buffer.from('SLUICEWT');
/** The fields of a slot are magic, durable, latest, boot, and the CRC-32 of all bytes before it. */
const SLOT_BYTES = 64;
const DURABLE_AT = 8;
const LATEST_AT = 16;
const BOOT_AT = 24;
const BOOT_BYTES = 36;
const CHECKSUM_AT = SLOT_BYTES - 4;

/** The changes that a data file has to contain. */
interface WitnessPosition {
  /** The number of the newest change that is on the disk. */
  readonly durable: bigint;
  /** The number of the newest change of all. It survives the end of the process, but not that of the system. */
  readonly latest: bigint;
  /** The boot id of the system when `latest` was written. */
  readonly boot: string;
}

/**
 * A small file beside a data file that records how many changes the data file contains. A write-ahead log that is read up
 * to its first damaged record looks like a log that ended there. The witness reveals that there was more.
 *
 * It is written after the change itself, so it never claims a change that is missing. It has two slots that are written in
 * turn, so that a torn write leaves the other one intact.
 *
 * @example
 * ```ts
 * import { CommitWitness, describeWitnessRemedy } from './commit-witness.ts';
 *
 * function requireAll(dataFile: string, changesInFile: bigint): void {
 *   const witness = CommitWitness.of(dataFile);
 *   if ((witness.expected ?? 0n) > changesInFile) throw new Error(describeWitnessRemedy(witness.path));
 * }
 * ```
 */
export class CommitWitness {
  readonly path: string;
  #descriptor: number | null = null;
  #position: WitnessPosition | null;
  #next = 0;

  private constructor(path: string, position: WitnessPosition | null) {
    this.path = path;
    this.#position = position;
  }

  /**
   * Opens the witness of a data file, which need not exist yet. Nothing is written.
   *
   * @throws OperatorError when both slots are damaged.
   */
  static of(dataFile: string): CommitWitness {
    const path = `${dataFile}.witness`;
    return new CommitWitness(path, existsSync(path) ? readPosition(path) : null);
  }

  /** The number of the newest change that the data file must contain. Null when none was recorded. */
  get expected(): bigint | null {
    if (this.#position === null) return null;
    const { durable, latest, boot } = this.#position;
    return boot !== '' && boot === bootId() ? latest : durable;
  }

  /**
   * Records that change `sequence` was made. A failure, for example on a full disk, is ignored: the data file is complete
   * anyway, and the witness only covers less of it.
   *
   * @param isDurable - Whether the change, and all before it, are on the disk.
   */
  note(sequence: bigint, isDurable: boolean): void {
    const durable = isDurable ? sequence : (this.#position?.durable ?? 0n);
    this.#position = { durable, latest: sequence, boot: bootId() };
    try {
      const slot = encode(this.#position);
      this.#descriptor ??= openWitness(this.path, slot);
      writeSync(this.#descriptor, slot, 0, SLOT_BYTES, this.#next * SLOT_BYTES);
      this.#next = 1 - this.#next;
    } catch {
      // Ignored: see above.
    }
  }

  close(): void {
    if (this.#descriptor !== null) closeSync(this.#descriptor);
    this.#descriptor = null;
  }
}

/** Tells the operator what to do when a data file contains less than its witness records. */
export function describeWitnessRemedy(witness: string): string {
  return (
    'Nothing was changed. Restore the data folder from a backup with `sluice restore <file> --replace yes`, or, to go on ' +
    `with what is left, remove ${witness}`
  );
}

function readPosition(path: string): WitnessPosition {
  const file = readFileSync(path);
  const slots = [0, 1]
    .map((index) => decode(file.subarray(index * SLOT_BYTES, (index + 1) * SLOT_BYTES)))
    .filter((slot) => slot !== null)
    .sort((one, other) => (one.latest < other.latest ? 1 : -1));
  const [newest] = slots;
  if (newest !== undefined) return newest;
  throw new OperatorError(
    `${path} is damaged, so it cannot be seen whether the data beside it is whole. ${describeWitnessRemedy(path)}`,
  );
}

/** Opens the file. A new one is written under a temporary name first, so that it is never incomplete. */
function openWitness(path: string, slot: Buffer): number {
  if (!existsSync(path)) {
    const temporary = `${path}.tmp`;
    const descriptor = openSync(temporary, 'w', 0o600);
    writeSync(descriptor, Buffer.concat([slot, slot]));
    fsyncSync(descriptor);
    closeSync(descriptor);
    renameSync(temporary, path);
  }
  return openSync(path, 'r+');
}

function encode({ durable, latest, boot }: WitnessPosition): Buffer {
  const slot = Buffer.alloc(SLOT_BYTES);
  MAGIC.copy(slot);
  slot.writeBigUInt64LE(durable, DURABLE_AT);
  slot.writeBigUInt64LE(latest, LATEST_AT);
  slot.write(boot, BOOT_AT, BOOT_BYTES, 'latin1');
  slot.writeUInt32LE(crc32(slot.subarray(0, CHECKSUM_AT)), CHECKSUM_AT);
  return slot;
}

function decode(slot: Buffer): WitnessPosition | null {
  if (slot.length < SLOT_BYTES || !slot.subarray(0, MAGIC.length).equals(MAGIC)) return null;
  if (crc32(slot.subarray(0, CHECKSUM_AT)) !== slot.readUInt32LE(CHECKSUM_AT)) return null;
  return {
    durable: slot.readBigUInt64LE(DURABLE_AT),
    latest: slot.readBigUInt64LE(LATEST_AT),
    boot: slot.toString('latin1', BOOT_AT, BOOT_AT + BOOT_BYTES).replace(/\0+$/, ''),
  };
}

let boot: string | null = null;

/** Returns an id of the current boot of the system, or an empty text where the system has none. */
function bootId(): string {
  boot ??= readBootId();
  return boot;
}

function readBootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim().slice(0, BOOT_BYTES);
  } catch {
    return '';
  }
}
