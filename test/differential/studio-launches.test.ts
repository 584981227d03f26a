import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decodeDbcConfig } from '../../src/protocols/meteora-dbc/program/layout-config.ts';
import { METEORA_DBC_PROGRAM } from '../../src/protocols/meteora-dbc/program/program.ts';
import { TOKEN_METADATA_PROGRAM } from '../../src/solana/programs/token-metadata/program.ts';
import type { LaunchCurvePlan } from '../../src/studio/curve/launch-plan.ts';
import { LAUNCH_QUOTE_TOKENS } from '../../src/studio/curve/quote-tokens.ts';
import { StudioRefused } from '../../src/studio/studio-refused.ts';
import { openForAll } from '../../src/testing/opened.ts';
import { sampleCases } from '../../src/testing/random.ts';
import { LaunchRig } from '../../src/testing/studio/launch-rig.ts';
import { PUBLIC_PROGRAM, readDump } from './twin.ts';

const dumps = [METEORA_DBC_PROGRAM, TOKEN_METADATA_PROGRAM].map((address) => ({
  address,
  dump: readDump(address),
}));

it.skipIf(dumps.some(({ dump }) => dump === null))(
  'the public programs carry out every launch that the studio prepares',
  async () => {
    const { chain } = rig.market;
    let refused = 0;
    const cases = sampleCases(plans, { cases: 400, short: 40, seed: 73, against: PUBLIC_PROGRAM });
    for (const curve of cases) {
      const launch = craft(curve);
      if (launch === null) {
        refused++;
        continue;
      }
      rig.fund(10_000_000_000n);
      const signature = await chain.send(rig.sign(launch));
      expect((await chain.transaction(signature))?.error, JSON.stringify(curve)).toBeNull();
      const account = rig.market.network.account(rig.keys.deriveConfigAddress(launch.mint));
      const config = decodeDbcConfig(account?.data ?? new Uint8Array());
      expect([config.feeClaimer, config.quoteMint]).toEqual([rig.partner, curve.quoteMint]);
    }
    expect(refused).toBeLessThan(cases.length / 2);
  },
);

const rig = openForAll(async () => {
  const opened = await LaunchRig.open();
  for (const { address, dump } of dumps) if (dump !== null) opened.market.network.loadProgram(address, dump);
  return opened;
}, 'close');

/** Returns null for a plan that the studio refuses: most of them raise too little. */
function craft(curve: LaunchCurvePlan) {
  try {
    return rig.craft({ curve }, { random: Math.random });
  } catch (error) {
    if (error instanceof StudioRefused) return null;
    throw error;
  }
}

const vesting = fc.oneof(
  fc.constant({ total: 0, cliffUnlock: 0, numberOfPeriods: 0, totalDuration: 0, cliffDuration: 0 }),
  fc
    .record({
      total: fc.integer({ min: 1_000, max: 800_000_000 }),
      share: fc.integer({ min: 0, max: 100 }),
      numberOfPeriods: fc.constantFrom(6, 12, 183, 365),
      totalDuration: fc.constantFrom(15_552_000, 15_811_200, 31_536_000),
      cliffDuration: fc.constantFrom(0, 15_552_000, 15_811_200, 31_536_000),
    })
    .map(({ total, share, numberOfPeriods, totalDuration, cliffDuration }) => ({
      total,
      cliffUnlock: Math.floor((total * share) / 100),
      numberOfPeriods: share === 100 ? 0 : numberOfPeriods,
      totalDuration: share === 100 ? 0 : totalDuration,
      cliffDuration,
    })),
);

const plans: fc.Arbitrary<LaunchCurvePlan> = fc
  .record({
    quote: fc.constantFrom(...LAUNCH_QUOTE_TOKENS),
    initial: fc.double({ min: 5, max: 10_000, noNaN: true }),
    factor: fc.double({ min: 1.5, max: 100, noNaN: true }),
    vesting,
    fee: fc.record({
      bps: fc.constantFrom(100, 200),
      kind: fc.constantFrom('linear' as const, 'exponential' as const),
      totalDuration: fc.constantFrom(60, 120, 180, 240, 300),
      isAntiSniping: fc.boolean(),
    }),
    isLiquidityLocked: fc.boolean(),
  })
  .map(({ quote, initial, factor, ...rest }) => {
    // A market cap that raises enough of most tokens.
    const initialMarketCap = initial * Number(quote.leastRaise) * 0.1;
    return {
      quoteMint: quote.mint,
      quoteDecimals: quote.decimals,
      initialMarketCap,
      migrationMarketCap: initialMarketCap * factor,
      ...rest,
    };
  });
