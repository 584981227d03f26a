import { expect, it } from 'vitest';
import { isLongRun, startSuite } from '../src/testing/random.ts';
import { runCampaign } from './waiting-orders/campaign.ts';

it('no atom is lost and no order is filled twice, whatever fails around two keepers', async () => {
  const { count, seeds } = startSuite({ cases: 500, short: 40, seed: 36, against: 'the chain' });
  for (const seed of seeds) {
    const { states, faults, fills, differences } = await runCampaign({ orders: count, seed });
    const sum = [...faults.values()].reduce((total, each) => total + each, 0);
    const line = `${count} orders, ${fills} fills, ${sum} faults, ${differences.length} differences`;
    if (isLongRun()) process.stdout.write(`waiting orders: ${line}\n`);
    expect(differences, line).toEqual([]);
    expect([...states.keys()]).toEqual(expect.arrayContaining(['fill_success', 'cancelled']));
  }
});
