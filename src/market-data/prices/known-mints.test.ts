import { expect, it } from 'vitest';
import type { Chain } from '../../chain/chain.ts';
import { getCurrentWorker, runAs } from '../../common/party.ts';
import type { Pools } from '../../market/pools/pools.ts';
import { KnownMints } from './known-mints.ts';
import { numbered } from '../../testing/market-data/priced-market.ts';

it('reads what several callers ask for with Sluice’s own calls, and not with those of the first', async () => {
  const workers: unknown[] = [];
  const getAccounts: Chain['getAccounts'] = async (mints) => {
    workers.push(getCurrentWorker());
    return mints.map((mint) => ({ address: mint, account: null, slot: 1n }));
  };
  const mints = new KnownMints({ getAccounts }, { account: () => null } as unknown as Pools, () => undefined);
  runAs({ kind: 'client', id: 'stranger' }, () => mints.facts(numbered(1)));
  await mints.read();
  expect(workers).toEqual(['own']);
});
