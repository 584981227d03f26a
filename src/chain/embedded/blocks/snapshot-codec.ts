import { ByteReader } from '../../../solana/codec/byte-reader.ts';
import { ByteWriter } from '../../../solana/codec/byte-writer.ts';
import { type AccountEntry, decodeAccount, encodeAccount } from '../records/account-codec.ts';
import type { ChainState } from './blocks.ts';
import { readBlock, readOpenBlock, writeBlock, writeOpenBlock } from './slot-record.ts';
import type { CachedStatus } from './status-cache.ts';
import type { TransactionError } from '../../records/transaction-error.ts';

/** The whole state of the network at the end of a slot. */
export interface NetworkState {
  readonly genesisSeed: string;
  readonly chain: ChainState;
  /** Data of the SlotHistory sysvar. */
  readonly slotHistory: Uint8Array;
  /** The offset of the network's clock, in milliseconds, that tests have set. */
  readonly clockOffset: bigint;
  /** The differences from a new LiteSVM's accounts, with null for a deleted account, and without the slot's sysvars. */
  readonly accounts: readonly AccountEntry[];
  readonly statuses: readonly CachedStatus[];
  /** Encoded transaction records, oldest first. */
  readonly transactions: readonly Uint8Array[];
}

const Part = { HEAD: 1, ACCOUNTS: 2, STATUSES: 3, TRANSACTIONS: 4, END: 5 } as const;
/** The size in bytes from which a part is complete. */
const PART_BYTES = 1 << 20;

/** Encodes a snapshot in parts of about a megabyte, so that the writer can yield between them. */
export function* encodeSnapshot(state: NetworkState): Generator<Uint8Array[]> {
  yield [encodeHead(state)];
  yield* encodeList(Part.ACCOUNTS, state.accounts, encodeAccount);
  yield* encodeList(Part.STATUSES, state.statuses, (status) => [encodeStatus(status)]);
  yield* encodeList(Part.TRANSACTIONS, state.transactions, (transaction) => [
    new ByteWriter(4).u32(transaction.length).finish(),
    transaction,
  ]);
  const end = new ByteWriter(16).u8(Part.END).u32(state.accounts.length);
  yield [end.u32(state.statuses.length).u32(state.transactions.length).finish()];
}

/**
 * Decodes the parts of a snapshot.
 *
 * @param maxAccounts - The maximum number of accounts, which is checked before they are decoded.
 * @throws LayoutInvalid when a part is missing or malformed.
 */
export function decodeSnapshot(parts: Iterable<Uint8Array>, maxAccounts = Infinity): NetworkState {
  let head: Omit<NetworkState, 'accounts' | 'statuses' | 'transactions'> | null = null;
  const accounts: AccountEntry[] = [];
  const statuses: CachedStatus[] = [];
  const transactions: Uint8Array[] = [];
  for (const part of parts) {
    const reader = new ByteReader(part, 'snapshot');
    const kind = reader.u8();
    if (kind === Part.HEAD) head = decodeHead(reader);
    else if (kind === Part.ACCOUNTS) decodeList(reader, accounts, decodeAccount, maxAccounts);
    else if (kind === Part.STATUSES) decodeList(reader, statuses, decodeStatus);
    else if (kind === Part.TRANSACTIONS) decodeList(reader, transactions, readBytes);
    else if (kind === Part.END) {
      const counts = [reader.u32(), reader.u32(), reader.u32()];
      reader.end();
      const found = [accounts.length, statuses.length, transactions.length];
      if (head === null || counts.join() !== found.join()) {
        return reader.fail(
          `it should hold ${counts.join(', ')} accounts, statuses and transactions, but has ${found.join(', ')}`,
        );
      }
      return { ...head, accounts, statuses, transactions };
    } else reader.fail(`part ${kind} is not known`);
  }
  return new ByteReader(new Uint8Array(0), 'snapshot').fail('its last part is missing');
}

function* encodeList<T>(
  part: number,
  list: readonly T[],
  encode: (item: T) => Uint8Array[],
): Generator<Uint8Array[]> {
  let pieces: Uint8Array[] = [];
  let count = 0;
  let bytes = 0;
  for (const item of list) {
    for (const piece of encode(item)) {
      pieces.push(piece);
      bytes += piece.length;
    }
    count++;
    if (bytes < PART_BYTES) continue;
    yield [new ByteWriter(5).u8(part).u32(count).finish(), ...pieces];
    pieces = [];
    count = 0;
    bytes = 0;
  }
  if (count > 0) yield [new ByteWriter(5).u8(part).u32(count).finish(), ...pieces];
}

function decodeList<T>(
  reader: ByteReader,
  into: T[],
  decode: (reader: ByteReader) => T,
  max = Infinity,
): void {
  const count = reader.u32();
  if (into.length + count > max) reader.fail(`it has more than ${max} accounts`);
  for (let i = 0; i < count; i++) into.push(decode(reader));
  reader.end();
}

function encodeHead(state: NetworkState): Uint8Array {
  const seed = new TextEncoder().encode(state.genesisSeed);
  const writer = new ByteWriter(1 << 18).u8(Part.HEAD).u32(seed.length).bytes(seed).i64(state.clockOffset);
  writer.u32(state.chain.blocks.length);
  for (const block of state.chain.blocks) writeBlock(writer, block);
  writeOpenBlock(writer, state.chain.open);
  return writer.u32(state.slotHistory.length).bytes(state.slotHistory).finish();
}

function decodeHead(reader: ByteReader) {
  const genesisSeed = new TextDecoder().decode(reader.bytes(reader.u32()));
  const clockOffset = reader.i64();
  const blocks = Array.from({ length: reader.u32() }, () => readBlock(reader));
  const open = readOpenBlock(reader);
  const slotHistory = readBytes(reader);
  reader.end();
  return { genesisSeed, clockOffset, chain: { blocks, open }, slotHistory };
}

function encodeStatus(status: CachedStatus): Uint8Array {
  const error = new TextEncoder().encode(JSON.stringify(status.error));
  const writer = new ByteWriter(192)
    .u8(status.signature.length)
    .bytes(Buffer.from(status.signature, 'latin1'));
  writer.bytes(Buffer.from(status.messageHash, 'latin1')).u64(status.slot).u64(status.height);
  return writer.u32(error.length).bytes(error).finish();
}

function decodeStatus(reader: ByteReader): CachedStatus {
  const signature = Buffer.from(reader.bytes(reader.u8())).toString('latin1');
  const messageHash = Buffer.from(reader.bytes(32)).toString('latin1');
  const slot = reader.u64();
  const height = reader.u64();
  const error: TransactionError | null = JSON.parse(Buffer.from(readBytes(reader)).toString());
  return { signature, messageHash, slot, height, error };
}

function readBytes(reader: ByteReader): Uint8Array {
  return reader.bytes(reader.u32()).slice();
}
