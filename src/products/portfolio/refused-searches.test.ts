import { beforeAll, describe, expect, it } from 'vitest';
import { openTestMarket } from '../../testing/genesis-market/open.ts';
import { ManualTimers } from '../../testing/timers.ts';
import { ChainUnavailable } from '../../chain/chain.ts';
import { SYSTEM_TIMERS } from '../../common/ports/timers.ts';
import { findTokenByMint } from '../../solana/known-tokens.ts';
import { PLATFORM_FETCHERS } from '../../testing/protocols/platform-fetchers.ts';
import { VOTER_PROGRAM } from '../../protocols/jupiter-governance/layout.ts';
import { PERPETUALS_PROGRAM } from '../../protocols/jupiter-perpetuals/layout.ts';
import { TestView } from '../../testing/protocols/wallet-view.ts';
import { type Address, toAddress } from '../../solana/address.ts';
import { openTestStore } from '../../testing/store/test-store.ts';
import { HourlyValues } from './history/hourly-values.ts';
import { ValueStore } from './history/value-store.ts';
import { Portfolios } from './evaluation/portfolios.ts';
import { createPricing } from './pricing.ts';

let portfolios: Portfolios;
beforeAll(setUp);

describe('over an RPC that refuses to search programs whose positions have known addresses', () => {
  it('reports no failure for a wallet that has no such position', async () => {
    const { outcomes } = await portfolios.of({ owner: STRANGER, platforms: null, hideSpam: false });
    expect(outcomes.filter(({ error }) => error !== null)).toEqual([]);
    expect(outcomes).toHaveLength(PLATFORM_FETCHERS.length);
  });

  it('reports the search that a wallet with such positions needs', async () => {
    const owner = market.wallet;
    const { outcomes } = await portfolios.of({ owner, platforms: null, hideSpam: false });
    const failed = outcomes.filter(({ error }) => error !== null).map(({ fetcher }) => fetcher.id);
    expect(failed).toEqual(['jupiter-governance-vote', 'jupiter-exchange-perpetual']);
  });

  it('says that a wallet which never staked has staked nothing', async () => {
    expect(await portfolios.stakedJup(STRANGER)).toEqual({ stakedAmount: 0, unstaking: [] });
  });

  it('records the hourly value of a wallet that has no such position', async () => {
    const opened = await openTestStore('sqlite');
    const timers = new ManualTimers();
    const store = new ValueStore(opened.store, 'network');
    const hours = new HourlyValues({
      store,
      portfolios,
      timers: { now: () => timers.now(), after: () => () => undefined },
      onDefect: (error) => {
        throw error;
      },
    });
    await store.follow(STRANGER, 'key', timers.now());
    await hours.pass();
    expect((await store.values(STRANGER, timers.now())).map(({ value }) => value)).toEqual([0]);
    await hours.close();
    await opened.cleanUp();
  });
});

/** Programs whose accounts an outside RPC may refuse to search, and that keep positions at addresses known from the owner. */
const REFUSED: readonly Address[] = [VOTER_PROGRAM, PERPETUALS_PROGRAM];
const STRANGER = toAddress(new Uint8Array(32).fill(77));

/** A view of an RPC that does not search `REFUSED`. */
class RefusingView extends TestView {
  override async getProgramAccounts(...search: Parameters<TestView['getProgramAccounts']>) {
    const [program] = search;
    if (REFUSED.includes(program)) {
      throw new ChainUnavailable(`${program} excluded from account secondary indexes`);
    }
    return super.getProgramAccounts(...search);
  }
}

const market = await openTestMarket('without programs');

function setUp(): void {
  const view = new RefusingView(market.genesis.accounts);
  portfolios = new Portfolios({
    chain: { slot: () => 1n, unhealthy: () => null, openView: () => view },
    fetchers: PLATFORM_FETCHERS,
    timers: SYSTEM_TIMERS,
    deadlineMs: 60_000,
    ...createPricing(market.pools, market.prices, []),
    listed: findTokenByMint,
    onDefect: (_, error) => {
      throw error;
    },
  });
}
