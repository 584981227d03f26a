import {
  getArrayDecoder,
  getBytesDecoder,
  getStructDecoder,
  getU8Decoder,
  getU16Decoder,
  getU32Decoder,
  getU64Decoder,
  fixDecoderSize,
} from '@solana/kit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assertProperty } from '../../testing/random.ts';
import { readonly } from '../../solana/messages/instruction.ts';
import { AGGREGATOR_PROGRAM } from '../../protocol/venue/aggregator-program.ts';
import { routeV2 } from './route-v2.ts';

test('any route_v2 reads back through an independent borsh decoder', () => {
  const u64 = fc.bigInt({ min: 0n, max: (1n << 64n) - 1n });
  const u16 = fc.integer({ min: 0, max: 0xffff });
  const u8 = fc.integer({ min: 0, max: 0xff });
  // Swaps of one fixed size, so that the struct decoder can walk over them.
  const decoder = getStructDecoder([
    ['discriminator', fixDecoderSize(getBytesDecoder(), 8)],
    ['inAmount', getU64Decoder()],
    ['quotedOutAmount', getU64Decoder()],
    ['slippageBps', getU16Decoder()],
    ['platformFeeBps', getU16Decoder()],
    ['positiveSlippageBps', getU16Decoder()],
    [
      'plan',
      getArrayDecoder(
        getStructDecoder([
          ['swap', fixDecoderSize(getBytesDecoder(), 11)],
          ['bps', getU16Decoder()],
          ['inputIndex', getU8Decoder()],
          ['outputIndex', getU8Decoder()],
        ]),
        { size: getU32Decoder() },
      ),
    ],
  ]);
  const step = fc.record({
    bps: u16,
    inputIndex: u8,
    outputIndex: u8,
    swap: fc.uint8Array({ minLength: 11, maxLength: 11 }),
  });
  assertProperty(
    fc.property(
      u64,
      u64,
      u16,
      u16,
      u16,
      fc.array(step, { maxLength: 12 }),
      (inAmount, quotedOutAmount, slippageBps, fee, surplus, plan) => {
        const { data } = routeV2(
          {
            inAmount,
            quotedOutAmount,
            slippageBps,
            platformFee: { bps: fee, account: AGGREGATOR_PROGRAM },
            positiveSlippage: { bps: surplus, account: AGGREGATOR_PROGRAM },
            steps: plan.map(({ swap, ...rest }) => ({
              ...rest,
              step: { swap, accounts: [readonly(AGGREGATOR_PROGRAM)] },
            })),
          },
          ACCOUNTS,
        );
        const read = decoder.decode(data);
        expect(read).toMatchObject({
          inAmount,
          quotedOutAmount,
          slippageBps,
          platformFeeBps: fee,
          positiveSlippageBps: surplus,
        });
        expect(read.plan.map((each) => ({ ...each, swap: Uint8Array.from(each.swap) }))).toEqual(plan);
        expect(data.length).toBe(34 + plan.length * 15);
      },
    ),
    { cases: 500, seed: 20261, against: 'another borsh decoder' },
  );
});

const ACCOUNTS = {
  userTransferAuthority: AGGREGATOR_PROGRAM,
  userSourceTokenAccount: AGGREGATOR_PROGRAM,
  userDestinationTokenAccount: AGGREGATOR_PROGRAM,
  sourceMint: AGGREGATOR_PROGRAM,
  destinationMint: AGGREGATOR_PROGRAM,
  sourceTokenProgram: AGGREGATOR_PROGRAM,
  destinationTokenProgram: AGGREGATOR_PROGRAM,
};
