import { beforeEach, describe, expect, it } from 'vitest';
import { openTestMarket } from '../../../testing/genesis-market/open.ts';
import { ChainUnavailable } from '../../../chain/chain.ts';
import { getCurrentWorker, type Party, runAs } from '../../../common/party.ts';
import { SYSTEM_TIMERS } from '../../../common/ports/timers.ts';
import { findTokenByMint } from '../../../solana/known-tokens.ts';
import { PLATFORM_FETCHERS } from '../../../testing/protocols/platform-fetchers.ts';
import { TestView } from '../../../testing/protocols/wallet-view.ts';
import type { Portfolio } from './evaluate.ts';
import { Portfolios } from './portfolios.ts';
import { createPricing } from '../pricing.ts';

let portfolios: Portfolios;
let views: number;
beforeEach(setUp);

describe('portfolios of one wallet at one slot', () => {
  it('are not incomplete for one caller because another has used up its calls', async () => {
    const [missed, complete] = await Promise.all([ask(STRANGER), ask(ACME)]);
    expect(errorsOf(missed)).not.toEqual([]);
    expect(errorsOf(complete)).toEqual([]);
  });

  it('are evaluated once for all that ask after it was complete, and for each organisation while it is not', async () => {
    const first = await ask(ACME);
    for (const party of [ACME, OTHER, STRANGER]) expect(await ask(party)).toBe(first);
    expect(views).toBe(1);
  });

  it('are evaluated once for those that ask for one organisation at once', async () => {
    const [one, same, other] = await Promise.all([ask(ACME), ask(ACME), ask(OTHER)]);
    expect(same).toBe(one);
    expect(other).not.toBe(one);
    expect(views).toBe(2);
  });
});

const STRANGER: Party = { kind: 'client', id: 'stranger' };
const ACME: Party = { kind: 'organisation', id: 'acme' };
const OTHER: Party = { kind: 'organisation', id: 'other' };

/** A view of an RPC that callers without a key have used up their calls of. */
class PacedView extends TestView {
  override async getAccounts(...asked: Parameters<TestView['getAccounts']>) {
    const worker = getCurrentWorker();
    if (typeof worker !== 'string' && worker.kind === 'client') throw new ChainUnavailable('too many calls');
    return super.getAccounts(...asked);
  }
}

const market = await openTestMarket('without programs');

function setUp(): void {
  views = 0;
  const openView = () => {
    views++;
    return new PacedView(market.genesis.accounts);
  };
  portfolios = new Portfolios({
    chain: { slot: () => 1n, unhealthy: () => null, openView },
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

const ask = (party: Party): Promise<Portfolio> =>
  runAs(party, () => portfolios.of({ owner: market.wallet, platforms: null, hideSpam: false }));
const errorsOf = ({ outcomes }: Portfolio) => outcomes.flatMap(({ error }) => error ?? []);
