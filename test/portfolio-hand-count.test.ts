import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { openTestMarket } from '../src/testing/genesis-market/open.ts';
import { GENESIS_TIME } from '../src/sandbox/genesis/build-genesis.ts';
import { POSITION_FETCHERS } from '../src/protocols/fetchers.ts';
import { TestView } from '../src/testing/protocols/wallet-view.ts';
import type { Portfolio } from '../src/products/portfolio/evaluation/evaluate.ts';
import { evaluateForTest } from '../src/testing/products/evaluated-portfolio.ts';

let demo: Portfolio;
beforeAll(setUp);

describe('docs/portfolio.md', () => {
  it('counts what the demo wallet is worth by hand, to the cent', () => {
    const rows = [...DOCUMENT.matchAll(/^\| `([\w-]+)` \| [^|]+ \| (\d+\.\d\d) \|$/gm)];
    expect(rows.length).toBe(FETCHERS.length);
    for (const [, fetcher, dollars] of rows) {
      const values = demo.elements
        .filter(({ fetcherId }) => fetcherId === fetcher)
        .map(({ value }) => value ?? 0);
      expect(Math.abs(values.reduce((sum, value) => sum + value, 0) - Number(dollars)), fetcher).toBeLessThan(
        0.006,
      );
    }
    const total = demo.elements.reduce((sum, { value }) => sum + (value ?? 0), 0);
    const [, counted] = /^\| sum \| \| (\d+\.\d\d) \|$/m.exec(DOCUMENT) ?? [];
    expect(Math.abs(total - Number(counted))).toBeLessThan(0.006);
  });

  it('lists every fetcher', () => {
    for (const { id } of FETCHERS) expect(DOCUMENT).toContain(`\`${id}\` |`);
  });

  it('has elements of all five types and assets of all three types', () => {
    expect(new Set(demo.elements.map(({ type }) => type)).size).toBe(5);
    const assets = demo.elements.flatMap((element) => (element.type === 'multiple' ? element.assets : []));
    expect(new Set(assets.map(({ asset }) => asset.type))).toEqual(
      new Set(['token', 'collectible', 'generic']),
    );
  });
});

const FETCHERS = POSITION_FETCHERS;
const DOCUMENT = readFileSync('docs/portfolio.md', 'utf8');

async function setUp(): Promise<void> {
  const { genesis, pools, wallet } = await openTestMarket('without programs');
  const view = new TestView(genesis.accounts);
  view.setClock({ epoch: 0n, unixTimestamp: GENESIS_TIME });
  demo = await evaluateForTest(view, pools, wallet, FETCHERS);
}
