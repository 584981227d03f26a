import { ADDRESS_BYTES, type Address } from '../../../solana/address.ts';
import { ByteReader } from '../../../solana/codec/byte-reader.ts';
import { ByteWriter } from '../../../solana/codec/byte-writer.ts';
import { encodeSignature } from '../../../solana/messages/signature.ts';
import { parseTransaction } from '../../../solana/messages/transaction.ts';
import type { ExecutedTransaction } from '../../executed-transactions.ts';
import { toExecutedTransaction } from '../../records/executed-transaction.ts';
import { ByteBlocks } from './byte-blocks.ts';
import type {
  InnerInstruction,
  InnerInstructions,
  ReturnData,
  TokenBalance,
  TransactionRecord,
} from '../../records/records.ts';
import type { TransactionError } from '../../records/transaction-error.ts';

const LAMPORTS_BYTES = 8;
/** The index of the account, its mint, owner and token program, the amount and the decimals. */
const TOKEN_BALANCE_BYTES = 1 + 3 * ADDRESS_BYTES + 8 + 1;
const SUBJECT = 'transaction record';
/** Shared by all calls, which is safe because encoding is synchronous. */
const scratch = new ByteWriter(1 << 16);
/** Records share blocks, and are dropped in the order in which they were added. */
const blocks = new ByteBlocks();

/** Encodes a record without what the transaction itself contains: its signature, static addresses and version. */
export function encodeRecord(record: TransactionRecord): Uint8Array {
  const writer = scratch.reset().u64(record.slot).u32(record.index).i64(record.blockTime).u64(record.fee);
  writer.u64(record.unitsConsumed);
  writeBytes(writer, record.wire);
  writeText(writer, record.error === null ? '' : JSON.stringify(record.error));
  writeAddresses(writer, record.loadedAddresses.writable);
  writeAddresses(writer, record.loadedAddresses.readonly);
  for (const balance of record.preBalances) writer.u64(balance);
  for (const balance of record.postBalances) writer.u64(balance);
  writeTokenBalances(writer, record.preTokenBalances);
  writeTokenBalances(writer, record.postTokenBalances);
  writer.u32(record.innerInstructions.length);
  for (const group of record.innerInstructions) writeInnerInstructions(writer, group);
  writer.u32(record.logs.length);
  for (const line of record.logs) writer.u32(line.length);
  // All lines at once, because the cost of encoding text is per call rather than per character.
  writeText(writer, record.logs.join(''));
  writer.bool(record.returnData !== null);
  if (record.returnData !== null) {
    writer.address(record.returnData.programId);
    writeBytes(writer, record.returnData.data);
  }
  return blocks.keep(writer.finish());
}

/** @throws LayoutInvalid when the bytes are not a record. */
export function decodeRecord(bytes: Uint8Array): TransactionRecord {
  const reader = new ByteReader(bytes, SUBJECT);
  const { message, errorText, accountCount, ...head } = readHead(reader);
  const error: TransactionError | null = errorText === '' ? null : JSON.parse(errorText);
  const preBalances = Array.from({ length: accountCount }, () => reader.u64());
  const postBalances = Array.from({ length: accountCount }, () => reader.u64());
  const preTokenBalances = readTokenBalances(reader);
  const postTokenBalances = readTokenBalances(reader);
  const innerInstructions = readAllInnerInstructions(reader).map(copyInnerInstructions);
  const logs = readLogs(reader);
  const returnData = reader.bool() ? readReturnData(reader) : null;
  reader.end();
  const { version } = message;
  // A view would keep the whole block that the record is in.
  const wire = head.wire.slice();
  return {
    ...head,
    wire,
    version,
    error,
    preBalances,
    postBalances,
    preTokenBalances,
    postTokenBalances,
    innerInstructions,
    logs,
    returnData,
  };
}

/**
 * Decodes what a successful transaction did. Leaves out its logs and lamports, because decoding them would take as long as
 * all else together, and decodes token balances only when they are read. The result holds views of the bytes.
 *
 * @throws LayoutInvalid when the bytes are not a record.
 */
export function decodeExecuted(bytes: Uint8Array): ExecutedTransaction {
  const reader = new ByteReader(bytes, SUBJECT);
  const { message, accountCount, ...head } = readHead(reader);
  reader.skip(2 * accountCount * LAMPORTS_BYTES);
  const pre = skipTokenBalances(reader);
  const post = skipTokenBalances(reader);
  return toExecutedTransaction(
    {
      ...head,
      innerInstructions: readAllInnerInstructions(reader),
      preTokenBalances: () => readTokenBalances(new ByteReader(bytes, SUBJECT, pre)),
      postTokenBalances: () => readTokenBalances(new ByteReader(bytes, SUBJECT, post)),
    },
    message,
  );
}

/** Everything up to the balances of accounts. */
function readHead(reader: ByteReader) {
  const slot = reader.u64();
  const index = reader.u32();
  const blockTime = reader.i64();
  const fee = reader.u64();
  const unitsConsumed = reader.u64();
  const wire = readBytes(reader);
  const { message, signatures } = parseTransaction(wire);
  const errorText = readText(reader);
  const loadedAddresses = { writable: readAddresses(reader), readonly: readAddresses(reader) };
  const { writable, readonly } = loadedAddresses;
  return {
    signature: encodeSignature(signatures[0] ?? new Uint8Array(0)),
    slot,
    index,
    blockTime,
    fee,
    unitsConsumed,
    wire,
    staticAddresses: message.staticAccounts,
    loadedAddresses,
    message,
    /** Empty when the transaction succeeded. */
    errorText,
    accountCount: message.staticAccounts.length + writable.length + readonly.length,
  };
}

function writeTokenBalances(writer: ByteWriter, balances: readonly TokenBalance[]): void {
  writer.u32(balances.length);
  for (const { accountIndex, mint, owner, tokenProgram, amount, decimals } of balances) {
    writer.u8(accountIndex).address(mint).address(owner).address(tokenProgram).u64(amount).u8(decimals);
  }
}

function readTokenBalances(reader: ByteReader): TokenBalance[] {
  const balances: TokenBalance[] = [];
  for (let left = reader.u32(); left > 0; left--) {
    balances.push({
      accountIndex: reader.u8(),
      mint: reader.address(),
      owner: reader.address(),
      tokenProgram: reader.address(),
      amount: reader.u64(),
      decimals: reader.u8(),
    });
  }
  return balances;
}

/** Returns where they begin. */
function skipTokenBalances(reader: ByteReader): number {
  const { offset } = reader;
  reader.skip(reader.u32() * TOKEN_BALANCE_BYTES);
  return offset;
}

function writeInnerInstructions(writer: ByteWriter, group: InnerInstructions): void {
  writer.u8(group.index).u32(group.instructions.length);
  for (const { programIdIndex, accounts, data, stackHeight } of group.instructions) {
    writer.u8(programIdIndex).u8(stackHeight);
    writeBytes(writer, accounts);
    writeBytes(writer, data);
  }
}

/** Their accounts and data are views. */
function readAllInnerInstructions(reader: ByteReader): InnerInstructions[] {
  const groups: InnerInstructions[] = [];
  for (let left = reader.u32(); left > 0; left--) groups.push(readInnerInstructions(reader));
  return groups;
}

function readInnerInstructions(reader: ByteReader): InnerInstructions {
  const index = reader.u8();
  const instructions: InnerInstruction[] = [];
  for (let left = reader.u32(); left > 0; left--) {
    const programIdIndex = reader.u8();
    const stackHeight = reader.u8();
    instructions.push({
      programIdIndex,
      stackHeight,
      accounts: readBytes(reader),
      data: readBytes(reader),
    });
  }
  return { index, instructions };
}

function copyInnerInstructions({ index, instructions }: InnerInstructions): InnerInstructions {
  return {
    index,
    instructions: instructions.map(({ programIdIndex, stackHeight, accounts, data }) => ({
      programIdIndex,
      stackHeight,
      accounts: accounts.slice(),
      data: data.slice(),
    })),
  };
}

function readReturnData(reader: ByteReader): ReturnData {
  return { programId: reader.address(), data: readBytes(reader).slice() };
}

function readLogs(reader: ByteReader): string[] {
  const lengths = Array.from({ length: reader.u32() }, () => reader.u32());
  const text = readText(reader);
  let end = 0;
  return lengths.map((length) => {
    end += length;
    return text.slice(end - length, end);
  });
}

function writeAddresses(writer: ByteWriter, addresses: readonly Address[]): void {
  writer.u8(addresses.length);
  for (const address of addresses) writer.address(address);
}

function readAddresses(reader: ByteReader): Address[] {
  const addresses: Address[] = [];
  for (let left = reader.u8(); left > 0; left--) addresses.push(reader.address());
  return addresses;
}

function writeBytes(writer: ByteWriter, bytes: Uint8Array): void {
  writer.u32(bytes.length).bytes(bytes);
}

/** Returns a view. */
function readBytes(reader: ByteReader): Uint8Array {
  return reader.bytes(reader.u32());
}

function writeText(writer: ByteWriter, text: string): void {
  if (text === '') writer.u32(0);
  else writeBytes(writer, Buffer.from(text));
}

function readText(reader: ByteReader): string {
  const { buffer, byteOffset, byteLength } = readBytes(reader);
  return Buffer.from(buffer, byteOffset, byteLength).toString();
}
