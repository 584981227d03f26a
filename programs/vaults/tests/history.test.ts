import { describe, expect, it } from 'vitest';
import { sampleCases } from '../../../src/testing/random.ts';
import { type Tally, VaultHistory } from './history.ts';
import { histories } from './history-steps.ts';

describe('vaults', () => {
  it('do what the models predict, and never owe more than they have', () => {
    const tally: Tally = { operations: 0, liquidations: 0, absorptions: 0, merges: 0 };
    const all = sampleCases(histories(STEPS), SUITE);
    for (const [index, steps] of all.entries()) {
      const history = new VaultHistory(tally, SPECS[index % SPECS.length]);
      for (const [at, step] of steps.entries()) {
        try {
          history.run(step);
        } catch (cause) {
          throw new Error(`history ${index}, step ${at}: ${step.kind}`, { cause });
        }
      }
    }
    expect(tally.operations).toBeGreaterThan(8 * all.length);
    expect(tally.liquidations).toBeGreaterThan(4 * all.length);
    expect(tally.absorptions).toBeGreaterThan(0.8 * all.length);
    expect(tally.merges).toBeGreaterThan(0);
  });
});

const SEED = 20_261_122;
const SUITE = { cases: 12, short: 3, seed: SEED, against: 'the program' };
const STEPS = 70;

/** The last spec has ratios below one, and therefore negative ticks. */
const SPECS = [
  {},
  { supplyDecimals: 6, borrowDecimals: 9 },
  { supplyDecimals: 9, borrowDecimals: 9, priceDecimals: 10 },
];
