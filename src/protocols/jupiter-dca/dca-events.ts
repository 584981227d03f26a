import type { Address } from '../../solana/address.ts';
import type { ByteReader } from '../../solana/codec/byte-reader.ts';
import { readSelfCalledEvent } from '../../solana/programs/self-called-event.ts';

// The events of the public IDL `dca`. Amounts are atoms, times are Unix seconds.

/** The terms of an order as its events repeat them. */
interface DcaEventTerms {
  readonly user: Address;
  readonly order: Address;
  readonly inDeposited: bigint;
  readonly inputMint: Address;
  readonly outputMint: Address;
  readonly cycleFrequency: bigint;
  readonly inAmountPerCycle: bigint;
  readonly createdAt: bigint;
}

export interface DcaOpened extends DcaEventTerms {
  readonly kind: 'opened';
}

export interface DcaClosed extends DcaEventTerms {
  readonly kind: 'closed';
  /** Both totals count what the closing itself paid. */
  readonly totalInWithdrawn: bigint;
  readonly totalOutWithdrawn: bigint;
  /** The part of the input that was neither used nor withdrawn before. */
  readonly unfilledAmount: bigint;
  readonly userClosed: boolean;
}

export interface DcaFilled {
  readonly kind: 'filled';
  readonly user: Address;
  readonly order: Address;
  readonly inputMint: Address;
  readonly outputMint: Address;
  readonly inAmount: bigint;
  /** What the order received, without the fee. */
  readonly outAmount: bigint;
  readonly feeMint: Address;
  readonly fee: bigint;
}

export interface DcaCollectedFee {
  readonly kind: 'collectedFee';
  readonly user: Address;
  readonly order: Address;
  readonly mint: Address;
  readonly amount: bigint;
}

export interface DcaWithdrawn {
  readonly kind: 'withdrawn';
  readonly order: Address;
  readonly inAmount: bigint;
  readonly outAmount: bigint;
  /** False when a keeper paid out what the order has bought. */
  readonly userWithdraw: boolean;
}

export interface DcaDeposited {
  readonly kind: 'deposited';
  readonly order: Address;
  readonly amount: bigint;
}

export type DcaEvent = DcaOpened | DcaClosed | DcaFilled | DcaCollectedFee | DcaWithdrawn | DcaDeposited;

/** The length of each event's fields, and what reads them, by discriminator. */
const EVENTS: ReadonlyMap<string, { readonly size: number; readonly read: (from: ByteReader) => DcaEvent }> =
  new Map([
    ['a6ac61094d4cbd6d', { size: 160, read: (from) => ({ kind: 'opened', ...readTerms(from) }) }],
    ['321f579b87dcc3ef', { size: 185, read: readClosed }],
    ['8604113fdd2db1ad', { size: 184, read: readFilled }],
    ['2a88d874b5d16db5', { size: 104, read: readCollectedFee }],
    ['c0f1c9d946965af7', { size: 49, read: readWithdrawn }],
    ['3ecdf2aff4a98834', { size: 40, read: readDeposited }],
  ]);

/**
 * Decodes an event from the data of a call that the program made to itself.
 *
 * Returns null if the data is none of the events or is cut short.
 *
 * @example
 * ```ts
 * import { decodeDcaEvent } from './dca-events.ts';
 *
 * decodeDcaEvent(new Uint8Array(8)); // null
 * ```
 */
export function decodeDcaEvent(data: Uint8Array): DcaEvent | null {
  const emitted = readSelfCalledEvent(data, 'event of a DCA order');
  const event = emitted === null ? undefined : EVENTS.get(emitted.tag);
  if (emitted === null || event === undefined || emitted.fields.remaining < event.size) return null;
  return event.read(emitted.fields);
}

function readTerms(from: ByteReader): DcaEventTerms {
  return {
    user: from.address(),
    order: from.address(),
    inDeposited: from.u64(),
    inputMint: from.address(),
    outputMint: from.address(),
    cycleFrequency: from.i64(),
    inAmountPerCycle: from.u64(),
    createdAt: from.i64(),
  };
}

function readClosed(from: ByteReader): DcaClosed {
  return {
    kind: 'closed',
    ...readTerms(from),
    totalInWithdrawn: from.u64(),
    totalOutWithdrawn: from.u64(),
    unfilledAmount: from.u64(),
    userClosed: from.u8() !== 0,
  };
}

function readFilled(from: ByteReader): DcaFilled {
  return {
    kind: 'filled',
    user: from.address(),
    order: from.address(),
    inputMint: from.address(),
    outputMint: from.address(),
    inAmount: from.u64(),
    outAmount: from.u64(),
    feeMint: from.address(),
    fee: from.u64(),
  };
}

function readCollectedFee(from: ByteReader): DcaCollectedFee {
  return {
    kind: 'collectedFee',
    user: from.address(),
    order: from.address(),
    mint: from.address(),
    amount: from.u64(),
  };
}

function readWithdrawn(from: ByteReader): DcaWithdrawn {
  return {
    kind: 'withdrawn',
    order: from.address(),
    inAmount: from.u64(),
    outAmount: from.u64(),
    userWithdraw: from.u8() !== 0,
  };
}

function readDeposited(from: ByteReader): DcaDeposited {
  return { kind: 'deposited', order: from.address(), amount: from.u64() };
}
