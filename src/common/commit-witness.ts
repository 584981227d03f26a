import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { OperatorError } from './operator-error.ts';

const MAGIC = Buffer.from('SLUICEWT');
/** Magic, durable, latest, boot, CRC-32 of all before it. */
const SLOT_BYTES = 64;
const DURABLE_AT = 8;
const LATEST_AT = 16;
const BOOT_AT = 24;
const BOOT_BYTES = 36;
const CHECKSUM_AT = SLOT_BYTES - 4;

/** What a data file must hold at least. */
interface Position {
  /** The number of the newest change that is on the disk. */
  readonly durable: bigint;
  /** The newest change of all, which survives the end of the process but not that of the system. */
  readonly latest: bigint;
  /** Of which run of the system `latest` is. */
  readonly boot: string;
}

/**
 * A small file beside a data file that says how many changes were made to it. A write-ahead log that is read up to its
 * first damaged record looks like one that ended there, so it takes something outside of it to see that there was more.
 * It is written after the change itself and never says more than what is there. It is written in two places in turn, so
 * that one that was torn leaves the other.
 */
export class CommitWitness {
  readonly path: string;
  #descriptor: number | null = null;
  #position: Position | null;
  #next = 0;

  private constructor(path: string, position: Position | null) {
    this.path = path;
    this.#position = position;
  }

  /**
   * The witness of a data file, whether or not there is one yet; nothing is written.
   * @throws OperatorError when neither place of it can be read
   */
  static of(dataFile: string): CommitWitness {
    const path = `${dataFile}.witness`;
    return new CommitWitness(path, existsSync(path) ? readPosition(path) : null);
  }

  /** The number of the newest change that the data file must hold; null when nobody noted any. */
  get expected(): bigint | null {
    if (this.#position === null) return null;
    const { durable, latest, boot } = this.#position;
    return boot !== '' && boot === bootId() ? latest : durable;
  }

  /**
   * Notes that change `sequence` was made. What cannot be noted, as on a full disk, is left out: the witness then knows of
   * less, and the data file is whole all the same.
   * @param isDurable whether it is on the disk, with all before it
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
      // Said above.
    }
  }

  close(): void {
    if (this.#descriptor !== null) closeSync(this.#descriptor);
    this.#descriptor = null;
  }
}

/** What to do about a data file that holds less than its witness knows of. */
export function whatToDo(witness: string): string {
  return (
    'Nothing was changed. Restore the data folder from a backup with `sluice restore <file> --replace yes`, or, to go on ' +
    `with what is left, remove ${witness}`
  );
}

function readPosition(path: string): Position {
  const file = readFileSync(path);
  const slots = [0, 1]
    .map((index) => decode(file.subarray(index * SLOT_BYTES, (index + 1) * SLOT_BYTES)))
    .filter((slot) => slot !== null)
    .sort((one, other) => (one.latest < other.latest ? 1 : -1));
  const [newest] = slots;
  if (newest !== undefined) return newest;
  throw new OperatorError(
    `${path} is damaged, so it cannot be seen whether the data beside it is whole. ${whatToDo(path)}`,
  );
}

/** It has its name once it is whole. */
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

function encode({ durable, latest, boot }: Position): Buffer {
  const slot = Buffer.alloc(SLOT_BYTES);
  MAGIC.copy(slot);
  slot.writeBigUInt64LE(durable, DURABLE_AT);
  slot.writeBigUInt64LE(latest, LATEST_AT);
  slot.write(boot, BOOT_AT, BOOT_BYTES, 'latin1');
  slot.writeUInt32LE(crc32(slot.subarray(0, CHECKSUM_AT)), CHECKSUM_AT);
  return slot;
}

function decode(slot: Buffer): Position | null {
  if (slot.length < SLOT_BYTES || !slot.subarray(0, MAGIC.length).equals(MAGIC)) return null;
  if (crc32(slot.subarray(0, CHECKSUM_AT)) !== slot.readUInt32LE(CHECKSUM_AT)) return null;
  return {
    durable: slot.readBigUInt64LE(DURABLE_AT),
    latest: slot.readBigUInt64LE(LATEST_AT),
    boot: slot.toString('latin1', BOOT_AT, BOOT_AT + BOOT_BYTES).replace(/\0+$/, ''),
  };
}

let boot: string | null = null;

/** Of this run of the system; empty where that cannot be told. */
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
