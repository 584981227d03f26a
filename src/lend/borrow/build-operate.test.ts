import { describe, expect, it } from 'vitest';
import { sampleCases } from '../../testing/random.ts';
import type { VaultSpec } from '../../../programs/vaults/tests/world.ts';
import { RestHistory, steps } from '../../testing/products/operate-history.ts';

describe('buildOperate', () => {
  it('builds what lands as predicted, and refuses what the programs refuse, with the same error', async () => {
    const tally = new Map<string, number>();
    const all = sampleCases(steps, SUITE);
    for (const [index, events] of all.entries()) {
      const history = await RestHistory.open(SPECS[index % SPECS.length] ?? {}, tally);
      for (const [at, step] of events.entries()) {
        try {
          await history.run(step);
        } catch (cause) {
          throw new Error(`history ${index}, step ${at}: ${JSON.stringify(step, bigints)}`, {
            cause,
          });
        }
      }
      history.close();
    }
    // So that the test can say that it tested something.
    expect(tally.get('built')).toBeGreaterThan(12 * all.length);
    expect(tally.get('liquidation')).toBeGreaterThan(all.length);
    expect(tally.get('VaultPositionAboveCF')).toBeGreaterThan(all.length);
    expect(tally.get('BorrowLimitReached')).toBeGreaterThan(0);
    expect(tally.get('VaultUserDebtTooLow')).toBeGreaterThan(0);
  });
});

const SEED = 20_261_123;
/** Many enough that every refusal occurs, whatever the seed. */
const SUITE = { cases: 30, short: 5, seed: SEED, against: 'the programs' };

/** The last has ratios below one, and so negative ticks. */
const SPECS: readonly VaultSpec[] = [
  {},
  { supplyDecimals: 6, borrowDecimals: 9 },
  { supplyDecimals: 9, borrowDecimals: 9, priceDecimals: 10 },
];

function bigints(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}
