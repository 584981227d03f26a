import { toAddress } from '../../../solana/address.ts';
import { ByteReader } from '../../../solana/codec/byte-reader.ts';
import { ByteWriter } from '../../../solana/codec/byte-writer.ts';
import { type AccountEntry, decodeAccount, encodeAccount } from '../records/account-codec.ts';
import type { Block, OpenBlock } from './blocks.ts';

/** The changes of one slot: a record of the write-ahead log. */
export interface SlotRecord {
  /** One more than the sequence number of the previous record. */
  readonly sequence: bigint;
  readonly block: Block;
  readonly parentHash: Uint8Array;
  /** The block that was opened after it. */
  readonly open: OpenBlock;
  /** The offset of the network's clock, in milliseconds, that tests have set. */
  readonly clockOffset: bigint;
  /** Encoded transaction records, in order. */
  readonly transactions: readonly Uint8Array[];
  /** The accounts that changed, as they were when the slot ended. */
  readonly accounts: readonly AccountEntry[];
}

export function encodeSlotRecord(record: SlotRecord): Uint8Array[] {
  const head = new ByteWriter(512).u64(record.sequence);
  writeBlock(head, record.block);
  head.bytes(record.parentHash);
  writeOpenBlock(head, record.open);
  head.i64(record.clockOffset).u32(record.transactions.length).u32(record.accounts.length);
  const parts: Uint8Array[] = [head.finish()];
  for (const transaction of record.transactions) {
    parts.push(new ByteWriter(4).u32(transaction.length).finish(), transaction);
  }
  for (const account of record.accounts) parts.push(...encodeAccount(account));
  return parts;
}

/** @throws LayoutInvalid when the bytes are not a record. */
export function decodeSlotRecord(bytes: Uint8Array): SlotRecord {
  const reader = new ByteReader(bytes, 'slot record');
  const sequence = reader.u64();
  const block = readBlock(reader);
  const parentHash = reader.bytes(32).slice();
  const open = readOpenBlock(reader);
  const clockOffset = reader.i64();
  const transactionCount = reader.u32();
  const accountCount = reader.u32();
  const transactions = Array.from({ length: transactionCount }, () => reader.bytes(reader.u32()).slice());
  const accounts = Array.from({ length: accountCount }, () => decodeAccount(reader));
  reader.end();
  return { sequence, block, parentHash, open, clockOffset, transactions, accounts };
}

export function writeBlock(writer: ByteWriter, block: Block): void {
  writer.u64(block.slot).u64(block.parent).u64(block.height).i64(block.time).i64(block.epochStart);
  writer.bytes(block.hash).u64(block.transactionCount);
}

export function readBlock(reader: ByteReader): Block {
  const slot = reader.u64();
  const parent = reader.u64();
  const height = reader.u64();
  const time = reader.i64();
  const epochStart = reader.i64();
  const hash = reader.bytes(32).slice();
  const transactionCount = reader.u64();
  return {
    slot,
    parent,
    height,
    time,
    epochStart,
    hash,
    blockhash: toAddress(hash),
    transactionCount,
  };
}

export function writeOpenBlock(writer: ByteWriter, open: OpenBlock): void {
  writer.u64(open.slot).u64(open.height).i64(open.time).i64(open.epochStart);
}

export function readOpenBlock(reader: ByteReader): OpenBlock {
  return { slot: reader.u64(), height: reader.u64(), time: reader.i64(), epochStart: reader.i64() };
}
