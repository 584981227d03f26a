import { expect, it } from 'vitest';
import { isLongRun, startSuite } from '../src/testing/random.ts';
import { runCampaign } from './waiting-orders/campaign.ts';

/** The long run has 2,000 orders, in four tests, so that none takes longer than a test may. */
const PARTS = isLongRun() ? [1, 2, 3, 4] : [1];

it.each(PARTS)('no atom is lost and no order is filled twice, whatever fails, part %i', async (part) => {
  const { count, seeds } = startSuite({ cases: 500, short: 40, seed: 35 + part, against: 'the chain' });
  for (const seed of seeds) {
    const { states, faults, fills, earningRounds, differences } = await runCampaign({ orders: count, seed });
    const sum = (counts: Iterable<number>) => [...counts].reduce((total, each) => total + each, 0);
    const line = `${count} orders, ${sum(fills.values())} fills, ${sum(faults.values())} faults, ${differences.length} differences`;
    if (isLongRun()) process.stdout.write(`waiting orders: ${line}\n`);
    expect(differences, line).toEqual([]);
    expect([...states.keys()]).toEqual(expect.arrayContaining(['fill_success', 'cancelled']));
    expect([...fills.keys()]).toEqual(expect.arrayContaining(['single', 'entry', 'round']));
    expect(earningRounds).toBeGreaterThan(0);
  }
});
