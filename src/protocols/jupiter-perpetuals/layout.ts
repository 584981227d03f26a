import { type Address, address, toAddressBytes } from '../../solana/address.ts';
import { ByteReader } from '../../solana/codec/byte-reader.ts';
import { ByteWriter } from '../../solana/codec/byte-writer.ts';
import { findProgramAddress, type ProgramAddress } from '../../solana/pda.ts';

/** The public perpetuals program, whose counterparty is the JLP pool. */
export const PERPETUALS_PROGRAM = address('PERPHjGBqRHArX4DySjwM6UJHiR3sWAatqfdBS2qQJu');
export const JLP_POOL = address('5BUwFW4nRbftYTDMbgxykoFWqWHPzahFSNAaaaJtVKsq');

/** The custody of each token of the pool. */
export const CUSTODIES = {
  SOL: address('7xS2gz2bTp3fwCC7knJvUWTEU9Tycczu6VhJYKgi1wdz'),
  ETH: address('AQCGyheWPLeo6Qp9WpYS9m3Qj479t7R636N9ey1rEjEn'),
  BTC: address('5Pv3gM9JrFFH883SWAhvJC9RPYmo8UNxuFtv5bMMALkm'),
  USDC: address('G18jKKXQwBbrHeiK3C9MRXhkHsLHf7XgCSisykV46EZa'),
  USDT: address('4vkNeXiYEUizLdrpdPS1eC2mccyM4NUPRtERrk6ZETkk'),
} as const;

export const OWNER_AT = 8;
export const POSITION_SIZE = 216;
const REQUEST_SIZE = 312;
const CUSTODY_SIZE = 1_060;

const POSITION_TAG = Uint8Array.of(0xaa, 0xbc, 0x8f, 0xe4, 0x7a, 0x40, 0xf7, 0xd0);
const REQUEST_TAG = Uint8Array.of(0x0c, 0x26, 0xfa, 0xc7, 0x2e, 0x9a, 0x20, 0xd8);
const CUSTODY_TAG = Uint8Array.of(0x01, 0xb8, 0x30, 0x51, 0x5d, 0x83, 0x3f, 0x91);

export type PerpetualSide = 'none' | 'long' | 'short';
const SIDES: readonly PerpetualSide[] = ['none', 'long', 'short'];

/** A position. Dollars have six decimals. */
export interface PerpetualPosition {
  readonly owner: Address;
  readonly pool: Address;
  readonly custody: Address;
  readonly collateralCustody: Address;
  readonly side: PerpetualSide;
  /** The average entry price in dollars. */
  readonly price: bigint;
  readonly sizeUsd: bigint;
  readonly collateralUsd: bigint;
  /** The cumulative interest of the collateral's custody when the position last paid, in billionths. */
  readonly interestSnapshot: bigint;
}

/** The state of a token of the pool, as far as positions depend on it. */
export interface Custody {
  readonly mint: Address;
  readonly decimals: number;
  readonly isStable: boolean;
  /** The trade size in dollars, with six decimals, at which the price impact fee is 100%. 0 when there is no such fee. */
  readonly tradeImpactFeeScalar: bigint;
  /** The maximum leverage in basis points, where 10,000 is one. */
  readonly maxLeverage: bigint;
  /** Atoms of the token. */
  readonly owned: bigint;
  readonly locked: bigint;
  /** Billionths. */
  readonly cumulativeInterest: bigint;
  /** Unix second. */
  readonly interestUpdatedAt: bigint;
  /** The hourly rate at full utilisation, in hundred-thousandths. 0 when the jump rate below applies. */
  readonly hourlyRate: bigint;
  readonly decreasePositionBps: bigint;
  /** Yearly rates in basis points: at no, at full and at the target utilisation, which is in billionths. */
  readonly jumpRate: {
    readonly min: bigint;
    readonly max: bigint;
    readonly target: bigint;
    readonly targetUse: bigint;
  };
  /** The debts of loans against JLP. */
  readonly loans: {
    /** The interest index with which debts grow. */
    readonly interestIndex: bigint;
    /** The hourly rate at full utilisation, in hundred-thousandths, if `hourlyRate` of the custody is not 0. */
    readonly hourlyRate: bigint;
    /** Billionths of an atom, with interest. */
    readonly debt: bigint;
    /** Billionths of an atom: the part of `debt` that is interest. */
    readonly interest: bigint;
  };
}

/** A request to change a position, such as an order that waits for a price. */
export interface PositionRequest {
  readonly position: Address;
  /** The trigger price in dollars with six decimals, or null for a request without one. */
  readonly triggerPrice: bigint | null;
  readonly triggersAbove: boolean;
  readonly executed: boolean;
}

/** A custody as the program has left it. */
export interface WrittenCustody extends Custody {
  /** The share of the pool that the custody aims at, in basis points. */
  readonly targetRatioBps: bigint;
  /** What the pool paid for the sizes of long positions beyond their collateral, in dollars. */
  readonly guaranteedUsd: bigint;
  /** The sizes of all short positions in dollars, and their average entry price. */
  readonly shortSizes: bigint;
  readonly shortAveragePrice: bigint;
}

/** What a position has beside the fields on which its display depends. */
export interface PositionBooking {
  /** Unix second. */
  readonly openedAt: bigint;
  /** Atoms of the collateral's custody that are locked for the profit. */
  readonly lockedAmount: bigint;
}

export function deriveCustodyTokenAccount(mint: Address): ProgramAddress {
  const seeds = [Buffer.from('custody_token_account'), toAddressBytes(JLP_POOL), toAddressBytes(mint)];
  return findProgramAddress(PERPETUALS_PROGRAM, seeds);
}

function deriveCustody(mint: Address): ProgramAddress {
  const seeds = [Buffer.from('custody'), toAddressBytes(JLP_POOL), toAddressBytes(mint)];
  return findProgramAddress(PERPETUALS_PROGRAM, seeds);
}

/** Derives the address of a request to decrease a position. The counter tells requests apart. */
export function deriveDecreaseRequest(position: Address, counter: bigint): ProgramAddress {
  const number = new ByteWriter(8).u64(counter).finish();
  const seeds = [Buffer.from('position_request'), toAddressBytes(position), number, Uint8Array.of(2)];
  return findProgramAddress(PERPETUALS_PROGRAM, seeds);
}

function derivePerpetualPosition(
  owner: Address,
  custody: Address,
  collateralCustody: Address,
  side: PerpetualSide,
): ProgramAddress {
  const addresses = [owner, JLP_POOL, custody, collateralCustody].map(toAddressBytes);
  const seeds = [Buffer.from('position'), ...addresses, Uint8Array.of(SIDES.indexOf(side))];
  return findProgramAddress(PERPETUALS_PROGRAM, seeds);
}

export function derivePerpetualPositionAddress(
  owner: Address,
  custody: Address,
  collateralCustody: Address,
  side: 'long' | 'short',
): Address {
  return derivePerpetualPosition(owner, custody, collateralCustody, side).address;
}

/**
 * Decodes `Position` of the program's public IDL.
 *
 * @throws LayoutInvalid when the data is not a position's.
 */
export function decodePerpetualPosition(data: Uint8Array): PerpetualPosition {
  const from = new ByteReader(data, 'perpetual position');
  from.expect(POSITION_TAG, 'discriminator');
  const parties = {
    owner: from.address(),
    pool: from.address(),
    custody: from.address(),
    collateralCustody: from.address(),
  };
  from.skip(16);
  const code = from.u8();
  const side = SIDES[code] ?? from.fail(`its side is ${code}`);
  const amounts = { price: from.u64(), sizeUsd: from.u64(), collateralUsd: from.u64() };
  from.skip(8);
  return { ...parties, side, ...amounts, interestSnapshot: from.u128() };
}

export function encodePerpetualPosition(
  position: PerpetualPosition,
  { openedAt, lockedAmount }: PositionBooking,
): Uint8Array {
  const { owner, custody, collateralCustody, side } = position;
  const to = new ByteWriter(POSITION_SIZE).bytes(POSITION_TAG).address(owner).address(position.pool);
  to.address(custody).address(collateralCustody).i64(openedAt).i64(openedAt).u8(SIDES.indexOf(side));
  to.u64(position.price).u64(position.sizeUsd).u64(position.collateralUsd).i64(0n);
  to.u128(position.interestSnapshot).u64(lockedAmount);
  to.u8(derivePerpetualPosition(owner, custody, collateralCustody, side).bump);
  return to.zeros(POSITION_SIZE - to.length).finish();
}

/**
 * Decodes `Custody` of the program's public IDL.
 *
 * @throws LayoutInvalid when the data is not a custody's.
 */
export function decodeCustody(data: Uint8Array): Custody {
  const from = new ByteReader(data, 'perpetuals custody');
  from.expect(CUSTODY_TAG, 'discriminator');
  from.skip(32);
  const mint = from.address();
  from.skip(32);
  const token = { mint, decimals: from.u8(), isStable: from.bool() };
  from.skip(45);
  const tradeImpactFeeScalar = from.u64();
  from.skip(16);
  const maxLeverage = from.u64();
  from.skip(16 + 7 + 8 + 8);
  const assets = { owned: from.u64(), locked: from.u64() };
  from.skip(24);
  const interest = { cumulativeInterest: from.u128(), interestUpdatedAt: from.i64(), hourlyRate: from.u64() };
  from.skip(10);
  const decreasePositionBps = from.u64();
  from.skip(40);
  const jumpRate = { min: from.u64(), max: from.u64(), target: from.u64(), targetUse: from.u64() };
  from.skip(32 + 516 + 40);
  const interestIndex = from.u128();
  from.skip(8);
  const loans = { interestIndex, hourlyRate: from.u64(), debt: from.u128(), interest: from.u128() };
  return {
    ...token,
    tradeImpactFeeScalar,
    maxLeverage,
    ...assets,
    ...interest,
    decreasePositionBps,
    jumpRate,
    loans,
  };
}

/** Encodes a custody of `JLP_POOL` that allows everything. Its oracles, limits of sizes and collected fees are zero. */
export function encodeCustody(custody: WrittenCustody): Uint8Array {
  const tokens = deriveCustodyTokenAccount(custody.mint);
  const to = new ByteWriter(CUSTODY_SIZE).bytes(CUSTODY_TAG).address(JLP_POOL).address(custody.mint);
  to.address(tokens.address).u8(custody.decimals).bool(custody.isStable).zeros(45);
  to.u64(custody.tradeImpactFeeScalar).zeros(16).u64(custody.maxLeverage).zeros(16);
  to.bytes(new Uint8Array(7).fill(1)).u64(custody.targetRatioBps);
  to.u64(0n).u64(custody.owned).u64(custody.locked).u64(custody.guaranteedUsd);
  to.u64(custody.shortSizes).u64(custody.shortAveragePrice);
  to.u128(custody.cumulativeInterest).i64(custody.interestUpdatedAt).u64(custody.hourlyRate);
  to.u8(deriveCustody(custody.mint).bump).u8(tokens.bump).u64(custody.decreasePositionBps);
  to.u64(custody.decreasePositionBps).zeros(40);
  const { min, max, target, targetUse } = custody.jumpRate;
  to.u64(min).u64(max).u64(target).u64(targetUse).zeros(588);
  const { interestIndex, hourlyRate, debt, interest } = custody.loans;
  to.u128(interestIndex).zeros(8).u64(hourlyRate).u128(debt).u128(interest);
  return to.zeros(CUSTODY_SIZE - to.length).finish();
}

/** Whether the data is a request, and no position or loan, which have the same owner at the same offset. */
export function isPositionRequest(data: Uint8Array): boolean {
  return REQUEST_TAG.every((byte, at) => data[at] === byte);
}

/**
 * Decodes `PositionRequest` of the program's public IDL.
 *
 * @throws LayoutInvalid when the data is not a request's.
 */
export function decodePositionRequest(data: Uint8Array): PositionRequest {
  const from = new ByteReader(data, 'position request');
  from.expect(REQUEST_TAG, 'discriminator');
  from.skip(96);
  const position = from.address();
  from.skip(32 + 32 + 3);
  for (let option = 0; option < 3; option++) if (from.bool()) from.skip(8);
  const triggerPrice = from.bool() ? from.u64() : null;
  const triggersAbove = from.bool() ? from.bool() : false;
  if (from.bool()) from.skip(1);
  return { position, triggerPrice, triggersAbove, executed: from.bool() };
}

/** A request to close a long position at a price, as the program has left it. */
export interface WrittenRequest extends PositionRequest {
  readonly owner: Address;
  readonly custody: Address;
  /** The mint that is paid out. */
  readonly mint: Address;
  /** Unix second. */
  readonly openedAt: bigint;
  readonly counter: bigint;
}

export function encodePositionRequest(request: WrittenRequest): Uint8Array {
  const to = new ByteWriter(REQUEST_SIZE).bytes(REQUEST_TAG).address(request.owner).address(JLP_POOL);
  to.address(request.custody).address(request.position).address(request.mint);
  to.i64(request.openedAt).i64(request.openedAt).zeros(16);
  to.u8(2)
    .u8(1)
    .u8(1)
    .zeros(3)
    .bool(request.triggerPrice !== null);
  if (request.triggerPrice !== null) to.u64(request.triggerPrice);
  to.bool(true).bool(request.triggersAbove).bool(true).bool(true).bool(request.executed);
  to.u64(request.counter).u8(deriveDecreaseRequest(request.position, request.counter).bump).bool(false);
  return to.zeros(REQUEST_SIZE - to.length).finish();
}
