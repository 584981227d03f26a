import { getAddressDecoder, getAddressEncoder } from '@solana/kit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assertProperty } from '../../testing/random.ts';
import { type AggregatorEvent, decodeEvent, type SwapAmounts } from './events.ts';

const SELF_CALL = 'e445a52e51cb9a1d';

test('an event reads back, and no part of one does', () => {
  assertProperty(
    fc.property(anEvent, fc.nat(), (event, cut) => {
      const data = encodeEvent(event);
      expect(decodeEvent(data)).toEqual(event);
      expect(decodeEvent(data.subarray(0, cut % data.length))).toBeNull();
    }),
    { cases: 500, seed: 20262 },
  );
});

test.each([
  ['nothing', ''],
  ['another call of the program', 'e517cb977ae3ad2a00000000000000000000'],
  ['an event of another kind', `${SELF_CALL}2d09f41ee534a87b00000000`],
  ['a count far beyond the data', `${SELF_CALL}982f4eebc0606e6affffffff`],
])('%s is no event', (_, data) => {
  expect(decodeEvent(Buffer.from(data, 'hex'))).toBeNull();
});

/** The encoding that the program does, written down independently of the decoder. */
function encodeEvent(event: AggregatorEvent): Uint8Array {
  const head = { swap: '40c6cde8260871e2', fee: '494f4e7fb8d50ddc', swaps: '982f4eebc0606e6a' }[event.kind];
  const parts: Uint8Array[] = [Buffer.from(SELF_CALL + head, 'hex')];
  if (event.kind === 'swap') parts.push(key(event.amm), amounts(event));
  else if (event.kind === 'fee') parts.push(key(event.account), key(event.mint), u64(event.amount));
  else parts.push(Uint8Array.of(event.swaps.length, 0, 0, 0), ...event.swaps.map(amounts));
  return Buffer.concat(parts);
}

function amounts(swap: SwapAmounts): Uint8Array {
  return Buffer.concat([
    key(swap.inputMint),
    u64(swap.inputAmount),
    key(swap.outputMint),
    u64(swap.outputAmount),
  ]);
}

const key = (address: AggregatorAddress) => Uint8Array.from(getAddressEncoder().encode(address));
type AggregatorAddress = SwapAmounts['inputMint'];

function u64(value: bigint): Uint8Array {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return bytes;
}

const anAddress = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .map((bytes) => getAddressDecoder().decode(bytes));
const anAmount = fc.bigInt({ min: 0n, max: (1n << 64n) - 1n });
const aSwap = fc.record({
  inputMint: anAddress,
  inputAmount: anAmount,
  outputMint: anAddress,
  outputAmount: anAmount,
});
const anEvent: fc.Arbitrary<AggregatorEvent> = fc.oneof(
  fc
    .record({ kind: fc.constant('swap' as const), amm: anAddress })
    .chain((head) => aSwap.map((swap) => ({ ...head, ...swap }))),
  fc.record({ kind: fc.constant('fee' as const), account: anAddress, mint: anAddress, amount: anAmount }),
  fc.record({ kind: fc.constant('swaps' as const), swaps: fc.array(aSwap, { maxLength: 6 }) }),
);
