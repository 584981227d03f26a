/** The part of a virtual pool's account that swaps change, as far as quotes depend on it. */
export interface DbcPoolChanges {
  readonly lastUpdate: bigint;
  readonly referencePrice: bigint;
  readonly accumulator: bigint;
  readonly baseReserve: bigint;
  readonly quoteReserve: bigint;
  readonly sqrtPrice: bigint;
}

const LAST_UPDATE_AT = 8;
const REFERENCE_PRICE_AT = 24;
const ACCUMULATOR_AT = 40;
const RESERVES_AT = 232;
const SQRT_PRICE_AT = 280;
const IS_MIGRATED_AT = 305;

/** @param data - Bytes of a virtual pool. */
export function isMigratedPool(data: Uint8Array): boolean {
  return data[IS_MIGRATED_AT] !== 0;
}

/** @param data - Bytes of a virtual pool. */
export function readDbcChanges(data: Uint8Array): DbcPoolChanges {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  return {
    lastUpdate: view.getBigUint64(LAST_UPDATE_AT, true),
    referencePrice: u128At(view, REFERENCE_PRICE_AT),
    accumulator: u128At(view, ACCUMULATOR_AT),
    baseReserve: view.getBigUint64(RESERVES_AT, true),
    quoteReserve: view.getBigUint64(RESERVES_AT + 8, true),
    sqrtPrice: u128At(view, SQRT_PRICE_AT),
  };
}

function u128At(view: DataView, at: number): bigint {
  const high = view.getBigUint64(at + 8, true);
  const low = view.getBigUint64(at, true);
  return high === 0n ? low : (high << 64n) | low;
}

/** The ranges of bytes that never change while a pool trades, apart from its creator: configuration, mint, vaults, activation. */
const TERMS_AT: readonly (readonly [from: number, to: number])[] = [
  [72, 104],
  [136, RESERVES_AT],
  [296, IS_MIGRATED_AT],
];

/** Whether two accounts that are virtual pools are one and the same pool. */
export function hasSameDbcTerms(before: Uint8Array, after: Uint8Array): boolean {
  for (const [from, to] of TERMS_AT) {
    for (let at = from; at < to; at++) if (before[at] !== after[at]) return false;
  }
  return true;
}
