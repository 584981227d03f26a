import { AggregatorSide } from '../../protocol/venue/aggregator-step.ts';
import { ByteReader } from '../../solana/codec/byte-reader.ts';
import { ByteWriter } from '../../solana/codec/byte-writer.ts';
import { U64_MAX } from '../../solana/units.ts';

/** `FillExactInParams` of the fill program. All numbers are u64. */
export interface FillParams {
  /** Unix seconds: the last second in which the fill may land. */
  readonly expireAt: bigint;
  /** Quote atoms per lot and price tick. */
  readonly tickSizeQpb: bigint;
  /** Base atoms per lot. */
  readonly lotSizeBase: bigint;
  /** The best level for the taker first. */
  readonly levels: readonly FillLevel[];
}

export interface FillLevel {
  readonly pxTicks: bigint;
  readonly qtyLots: bigint;
}

/** The result of a fill in atoms. For a bid the taker pays quote and receives base; for an ask, the reverse. */
export interface SweptFill {
  readonly paid: bigint;
  readonly received: bigint;
  readonly lots: bigint;
}

/** The name of the program's error if the levels cannot fill the amount. */
export interface UnfillableInput {
  readonly error: 'Overflow' | 'NoFill' | 'InvalidLevelOrdering';
}

/**
 * Encodes the parameters in borsh, as a route step carries them in `fill_data`.
 * @throws RangeError if a number does not fit u64
 *
 * @example
 * ```ts
 * import { decodeFillParams, encodeFillParams } from './fill-program.ts';
 *
 * const levels = [{ pxTicks: 150n, qtyLots: 10n }];
 * const bytes = encodeFillParams({ expireAt: 1_800_000_000n, tickSizeQpb: 1n, lotSizeBase: 1_000n, levels });
 * decodeFillParams(bytes).levels[0]?.pxTicks; // 150n
 * ```
 */
export function encodeFillParams({ expireAt, tickSizeQpb, lotSizeBase, levels }: FillParams): Uint8Array {
  const writer = new ByteWriter(28 + 16 * levels.length);
  writer.u64(expireAt).u64(tickSizeQpb).u64(lotSizeBase).u32(levels.length);
  for (const { pxTicks, qtyLots } of levels) writer.u64(pxTicks).u64(qtyLots);
  return writer.finish();
}

/**
 * Decodes the parameters of a fill.
 * @throws LayoutInvalid if the bytes are too short, or continue after the last level
 */
export function decodeFillParams(bytes: Uint8Array): FillParams {
  const reader = new ByteReader(bytes, 'list of fill params');
  const expireAt = reader.u64();
  const tickSizeQpb = reader.u64();
  const lotSizeBase = reader.u64();
  const count = reader.u32();
  if (count * 16 !== reader.remaining) {
    reader.fail(`${count} levels take ${count * 16} bytes, but ${reader.remaining} follow`);
  }
  const levels = Array.from({ length: count }, () => ({ pxTicks: reader.u64(), qtyLots: reader.u64() }));
  return { expireAt, tickSizeQpb, lotSizeBase, levels };
}

/**
 * Computes what the fill program pays for an input, to the atom: in whole lots, level by level. Input that does not
 * fill a lot stays with the taker (`amountIn - paid`).
 * @param amountIn - Atoms of quote for a bid, of base for an ask.
 *
 * @example
 * ```ts
 * import { AggregatorSide } from '../../protocol/venue/aggregator-step.ts';
 * import { sweepLevels } from './fill-program.ts';
 *
 * const levels = [{ pxTicks: 150n, qtyLots: 10n }];
 * const params = { expireAt: 1_800_000_000n, tickSizeQpb: 1n, lotSizeBase: 1_000n, levels };
 * sweepLevels(AggregatorSide.ASK, 2_500n, params); // { paid: 2_000n, received: 300n, lots: 2n }
 * ```
 */
export function sweepLevels(
  side: AggregatorSide,
  amountIn: bigint,
  params: FillParams,
): SweptFill | UnfillableInput {
  const { levels, tickSizeQpb, lotSizeBase } = params;
  if (!isBestFirst(side, levels)) return { error: 'InvalidLevelOrdering' };
  let remaining = amountIn;
  let received = 0n;
  let lots = 0n;
  for (const { pxTicks, qtyLots } of levels) {
    if (remaining === 0n) break;
    const price = pxTicks * tickSizeQpb;
    if (price > U64_MAX) return { error: 'Overflow' };
    const [cost, gain] = side === AggregatorSide.BID ? [price, lotSizeBase] : [lotSizeBase, price];
    // A lot that costs nothing has no defined number of lots. The program skips such a level.
    if (cost === 0n) continue;
    let taken = remaining / cost;
    if (taken > qtyLots) taken = qtyLots;
    remaining -= taken * cost;
    received += taken * gain;
    lots += taken;
    if (received > U64_MAX) return { error: 'Overflow' };
  }
  const paid = amountIn - remaining;
  return paid === 0n || received === 0n ? { error: 'NoFill' } : { paid, received, lots };
}

/** The program's rule: prices must not fall for a buyer or rise for a seller. Equal prices are allowed. */
function isBestFirst(side: AggregatorSide, levels: readonly FillLevel[]): boolean {
  return levels.every((level, index) => {
    const before = levels[index - 1];
    if (before === undefined) return true;
    return side === AggregatorSide.BID ? before.pxTicks <= level.pxTicks : before.pxTicks >= level.pxTicks;
  });
}
