import { closeSync, existsSync, mkdirSync, openSync, readdirSync, readSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { NetworkRefused } from '../ledger/bank.ts';
import { FILE_HEADER, FileKind, openFile } from './log-frames.ts';
import type { NetworkState } from '../blocks/snapshot-codec.ts';
import { readSnapshot, writeSnapshot } from './snapshot-file.ts';

const NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;
const MAX_SNAPSHOTS = 64;

/** Named snapshots for tests, in a folder, or in memory without one. */
export class NamedSnapshots {
  readonly #folder: string | null;
  readonly #inMemory = new Map<string, { readonly slot: bigint; readonly state: NetworkState }>();

  /** Creates the folder if it is missing, and removes files that were incomplete when the last process ended. */
  constructor(folder: string | null) {
    this.#folder = folder;
    if (folder === null) return;
    mkdirSync(folder, { recursive: true });
    for (const name of readdirSync(folder)) if (name.endsWith('.dat.tmp')) rmSync(join(folder, name));
  }

  /** Returns the snapshots in order of their names. */
  list(): { readonly name: string; readonly slot: bigint }[] {
    const folder = this.#folder;
    if (folder === null) return Array.from(this.#inMemory, ([name, { slot }]) => ({ name, slot }));
    return readdirSync(folder)
      .filter((file) => file.endsWith('.dat'))
      .map((file) => ({ name: file.slice(0, -4), slot: readSnapshotSlot(join(folder, file)) }));
  }

  /** Saves a snapshot, replacing one with this name. Resolves when it is durable. */
  async save(name: string, slot: bigint, state: NetworkState): Promise<void> {
    checkName(name);
    const names = this.list().map((snapshot) => snapshot.name);
    if (!names.includes(name) && names.length >= MAX_SNAPSHOTS) {
      throw new NetworkRefused('request', `there are ${names.length} snapshots already: delete one first`);
    }
    if (this.#folder === null) this.#inMemory.set(name, { slot, state });
    else await writeSnapshot(getNamedSnapshotPath(this.#folder, name), slot, state);
  }

  load(name: string): NetworkState {
    checkName(name);
    if (this.#folder !== null && existsSync(getNamedSnapshotPath(this.#folder, name))) {
      return readSnapshot(getNamedSnapshotPath(this.#folder, name)).state;
    }
    const found = this.#inMemory.get(name);
    if (found === undefined) throw this.#unknown(name);
    return found.state;
  }

  delete(name: string): void {
    checkName(name);
    const onDisk = this.#folder !== null && existsSync(getNamedSnapshotPath(this.#folder, name));
    if (onDisk) rmSync(getNamedSnapshotPath(this.#folder, name));
    else if (!this.#inMemory.delete(name)) throw this.#unknown(name);
  }

  #unknown(name: string): NetworkRefused {
    const names = this.list().map((snapshot) => snapshot.name);
    return new NetworkRefused(
      'request',
      `there is no snapshot "${name}"; there are: ${names.join(', ') || 'none'}`,
    );
  }
}

function checkName(name: string): void {
  if (NAME.test(name)) return;
  throw new NetworkRefused(
    'request',
    `a snapshot's name has 1 to 64 letters, digits, "-" and "_", and begins with a letter or digit; got ${JSON.stringify(name.slice(0, 80))}`,
  );
}

function getNamedSnapshotPath(folder: string, name: string): string {
  return join(folder, `${name}.dat`);
}

function readSnapshotSlot(path: string): bigint {
  const header = Buffer.alloc(FILE_HEADER);
  const file = openSync(path, 'r');
  try {
    readSync(file, header, 0, FILE_HEADER, 0);
  } finally {
    closeSync(file);
  }
  return openFile(header, FileKind.SNAPSHOT, path).sequence;
}
