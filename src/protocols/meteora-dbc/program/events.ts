import type { Address } from '../../../solana/address.ts';
import type { ByteReader } from '../../../solana/codec/byte-reader.ts';
import { readSelfCalledEvent } from '../../../solana/programs/self-called-event.ts';

// The events of the public IDL `dynamic_bonding_curve` that tell what becomes of a launch. Amounts are atoms, times are
// Unix seconds.

export interface DbcPoolInitialized {
  readonly kind: 'poolInitialized';
  readonly pool: Address;
  readonly config: Address;
  readonly creator: Address;
  readonly baseMint: Address;
  readonly poolType: number;
  readonly activationPoint: bigint;
}

/** A swap, as `EvtSwap2` records it. The program records `EvtSwap` for the same swap, which is not read. */
export interface DbcSwapped {
  readonly kind: 'swapped';
  readonly pool: Address;
  readonly config: Address;
  /** A `DbcTradeDirection`. */
  readonly tradeDirection: number;
  readonly hasReferral: boolean;
  readonly swapMode: number;
  readonly includedFeeInputAmount: bigint;
  readonly excludedFeeInputAmount: bigint;
  readonly amountLeft: bigint;
  readonly outputAmount: bigint;
  readonly nextSqrtPrice: bigint;
  readonly tradingFee: bigint;
  readonly protocolFee: bigint;
  readonly referralFee: bigint;
  readonly quoteReserveAmount: bigint;
  readonly migrationThreshold: bigint;
  readonly currentTimestamp: bigint;
}

/** The curve has raised its threshold: it trades no more, and can be migrated. */
export interface DbcCurveCompleted {
  readonly kind: 'curveCompleted';
  readonly pool: Address;
  readonly config: Address;
  readonly baseReserve: bigint;
  readonly quoteReserve: bigint;
}

export interface DbcCreatorChanged {
  readonly kind: 'creatorChanged';
  readonly pool: Address;
  readonly creator: Address;
  readonly newCreator: Address;
}

/** The partner or the creator has claimed its part of the trading fees. */
export interface DbcTradingFeeClaimed {
  readonly kind: 'partnerFeeClaimed' | 'creatorFeeClaimed';
  readonly pool: Address;
  readonly tokenBaseAmount: bigint;
  readonly tokenQuoteAmount: bigint;
}

/** The partner or the creator has withdrawn its part of what was raised above the threshold. */
export interface DbcSurplusWithdrawn {
  readonly kind: 'partnerSurplusWithdrawn' | 'creatorSurplusWithdrawn';
  readonly pool: Address;
  readonly surplusAmount: bigint;
}

export interface DbcLeftoverWithdrawn {
  readonly kind: 'leftoverWithdrawn';
  readonly pool: Address;
  readonly leftoverReceiver: Address;
  readonly leftoverAmount: bigint;
}

export interface DbcMigrationFeeWithdrawn {
  readonly kind: 'migrationFeeWithdrawn';
  readonly pool: Address;
  readonly fee: bigint;
  /** A `DbcMigrationFeeFlag`. */
  readonly flag: number;
}

export type DbcEvent =
  | DbcPoolInitialized
  | DbcSwapped
  | DbcCurveCompleted
  | DbcCreatorChanged
  | DbcTradingFeeClaimed
  | DbcSurplusWithdrawn
  | DbcLeftoverWithdrawn
  | DbcMigrationFeeWithdrawn;

/** The length of each event's fields, and what reads them, by discriminator. */
const EVENTS: ReadonlyMap<string, { readonly size: number; readonly read: (from: ByteReader) => DbcEvent }> =
  new Map([
    ['e432f655cb428625', { size: 137, read: readPoolInitialized }],
    ['bd4233a826507599', { size: 179, read: readSwapped }],
    ['e5e756549c864b18', { size: 80, read: readCurveCompleted }],
    ['6be1a5ed5b9ed5dc', { size: 96, read: readCreatorChanged }],
    ['1a5375f05cca70fe', { size: 48, read: (from) => readFeeClaimed(from, 'partnerFeeClaimed') }],
    ['9ae4d7ca859bd68a', { size: 48, read: (from) => readFeeClaimed(from, 'creatorFeeClaimed') }],
    ['c3389809e8482316', { size: 40, read: (from) => readSurplus(from, 'partnerSurplusWithdrawn') }],
    ['9849150f4257359d', { size: 40, read: (from) => readSurplus(from, 'creatorSurplusWithdrawn') }],
    ['bfbd688f6f9c5ee5', { size: 72, read: readLeftoverWithdrawn }],
    ['1acb5455a11764d6', { size: 41, read: readMigrationFeeWithdrawn }],
  ]);

/**
 * Decodes an event from the data of a call that the program made to itself.
 *
 * Returns null if the data is none of the events or is cut short.
 *
 * @example
 * ```ts
 * import { decodeDbcEvent } from './events.ts';
 *
 * decodeDbcEvent(new Uint8Array(8)); // null
 * ```
 */
export function decodeDbcEvent(data: Uint8Array): DbcEvent | null {
  const emitted = readSelfCalledEvent(data, 'event of a bonding curve');
  const event = emitted === null ? undefined : EVENTS.get(emitted.tag);
  if (emitted === null || event === undefined || emitted.fields.remaining < event.size) return null;
  return event.read(emitted.fields);
}

function readPoolInitialized(from: ByteReader): DbcPoolInitialized {
  return {
    kind: 'poolInitialized',
    pool: from.address(),
    config: from.address(),
    creator: from.address(),
    baseMint: from.address(),
    poolType: from.u8(),
    activationPoint: from.u64(),
  };
}

function readSwapped(from: ByteReader): DbcSwapped {
  const [pool, config] = [from.address(), from.address()];
  const [tradeDirection, hasReferral] = [from.u8(), from.u8() !== 0];
  // The two amounts that were asked for are in the instruction.
  from.skip(16);
  return {
    kind: 'swapped',
    pool,
    config,
    tradeDirection,
    hasReferral,
    swapMode: from.u8(),
    includedFeeInputAmount: from.u64(),
    excludedFeeInputAmount: from.u64(),
    amountLeft: from.u64(),
    outputAmount: from.u64(),
    nextSqrtPrice: from.u128(),
    tradingFee: from.u64(),
    protocolFee: from.u64(),
    referralFee: from.u64(),
    quoteReserveAmount: from.u64(),
    migrationThreshold: from.u64(),
    currentTimestamp: from.u64(),
  };
}

function readCurveCompleted(from: ByteReader): DbcCurveCompleted {
  return {
    kind: 'curveCompleted',
    pool: from.address(),
    config: from.address(),
    baseReserve: from.u64(),
    quoteReserve: from.u64(),
  };
}

function readCreatorChanged(from: ByteReader): DbcCreatorChanged {
  return {
    kind: 'creatorChanged',
    pool: from.address(),
    creator: from.address(),
    newCreator: from.address(),
  };
}

function readFeeClaimed(from: ByteReader, kind: DbcTradingFeeClaimed['kind']): DbcTradingFeeClaimed {
  return { kind, pool: from.address(), tokenBaseAmount: from.u64(), tokenQuoteAmount: from.u64() };
}

function readSurplus(from: ByteReader, kind: DbcSurplusWithdrawn['kind']): DbcSurplusWithdrawn {
  return { kind, pool: from.address(), surplusAmount: from.u64() };
}

function readLeftoverWithdrawn(from: ByteReader): DbcLeftoverWithdrawn {
  return {
    kind: 'leftoverWithdrawn',
    pool: from.address(),
    leftoverReceiver: from.address(),
    leftoverAmount: from.u64(),
  };
}

function readMigrationFeeWithdrawn(from: ByteReader): DbcMigrationFeeWithdrawn {
  return { kind: 'migrationFeeWithdrawn', pool: from.address(), fee: from.u64(), flag: from.u8() };
}
