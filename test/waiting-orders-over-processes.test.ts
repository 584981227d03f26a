import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getSeeds, isLongRun, reportDifferences } from '../src/testing/random.ts';
import { HAS_SERVERS } from './e2e/servers.ts';
import { ProcessCampaign } from './waiting-orders/process-campaign.ts';

const SEED = getSeeds({ cases: 1, seed: 3_636 })[0] ?? 0;
const ORDERS = Number(process.env.SLUICE_TEST_ORDERS ?? 500);
/** Each is a test of its own, so that none takes longer than a test may. */
const PARTS = Array.from({ length: Math.ceil(ORDERS / 50) }, (_, part) => [
  part * 50 + 1,
  Math.min(part * 50 + 50, ORDERS),
]);

describe.runIf(isLongRun() && HAS_SERVERS)('two keepers beside an instance, all of which are killed', () => {
  let campaign: ProcessCampaign;
  beforeAll(setUp);
  afterAll(() => campaign?.close());

  it.each(PARTS)('orders %i to %i are made', (first, last) => campaign.run(last - first + 1));

  it('no atom is lost and no order is filled twice', async () => {
    const { orders, states, faults, refusals, fills, differences } = await campaign.reckon();
    const sum = (counts: Iterable<number>) => [...counts].reduce((total, each) => total + each, 0);
    const line = `${orders} orders, ${sum(fills.values())} fills, ${sum(faults.values())} faults, ${differences.length} differences`;
    process.stdout.write(`waiting orders over processes: ${line} (seed ${SEED})\n`);
    for (const counts of [faults, states, fills, refusals])
      process.stdout.write(`${[...counts].map(([what, count]) => `${what}: ${count}`).join(', ')}\n`);
    reportDifferences(differences.length, orders, 'the chain');
    expect(orders).toBeGreaterThanOrEqual(ORDERS / 2);
    expect(differences, line).toEqual([]);
    expect([...states.keys()]).toEqual(expect.arrayContaining(['fill_success', 'cancelled']));
  });

  async function setUp(): Promise<void> {
    process.stdout.write(`the seed of the orders and faults is ${SEED}\n`);
    campaign = await ProcessCampaign.open(SEED);
  }
});
