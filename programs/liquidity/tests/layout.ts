import { type Address, toAddress } from '../../../src/solana/address.ts';

/** The amount of a token that a protocol supplied or borrowed: raw, or in atoms without interest. */
export interface Position {
  readonly withInterest: boolean;
  readonly amount: bigint;
}

/** Both kinds of position start with the same fields. */
export function decodePosition(data: Uint8Array): Position {
  return { withInterest: data[72] === 1, amount: Buffer.from(data).readBigUInt64LE(73) };
}

export interface Reserve {
  readonly borrowRate: number;
  readonly lastUtilization: number;
  readonly supplyExchangePrice: bigint;
  readonly borrowExchangePrice: bigint;
  readonly supplyWithInterest: bigint;
  readonly supplyInterestFree: bigint;
  readonly borrowWithInterest: bigint;
  readonly borrowInterestFree: bigint;
  readonly totalClaimAmount: bigint;
}

export function decodeReserve(bytes: Uint8Array): Reserve {
  const data = Buffer.from(bytes);
  return {
    borrowRate: data.readUInt16LE(72),
    lastUtilization: data.readUInt16LE(76),
    supplyExchangePrice: data.readBigUInt64LE(86),
    borrowExchangePrice: data.readBigUInt64LE(94),
    supplyWithInterest: data.readBigUInt64LE(104),
    supplyInterestFree: data.readBigUInt64LE(112),
    borrowWithInterest: data.readBigUInt64LE(120),
    borrowInterestFree: data.readBigUInt64LE(128),
    totalClaimAmount: data.readBigUInt64LE(136),
  };
}

/** Auths, guardians, and protocols with their classes. */
export interface AuthList {
  readonly auths: readonly Address[];
  readonly guardians: readonly Address[];
  readonly classes: readonly string[];
}

export function decodeAuthList(bytes: Uint8Array): AuthList {
  const data = Buffer.from(bytes);
  let at = 8;
  const list = (size: number): Buffer[] => {
    const count = data.readUInt32LE(at);
    const entries = Array.from({ length: count }, (_, i) =>
      data.subarray(at + 4 + i * size, at + 4 + (i + 1) * size),
    );
    at += 4 + count * size;
    return entries;
  };
  const addressOf = (entry: Buffer): Address => toAddress(new Uint8Array(entry.subarray(0, 32)));
  return {
    auths: list(32).map(addressOf),
    guardians: list(32).map(addressOf),
    classes: list(33).map((entry) => `${addressOf(entry)} ${entry[32]}`),
  };
}
