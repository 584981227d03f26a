import { describe, expect, it } from 'vitest';
import type { PredictionPrices } from '../../predictions/prediction.ts';
import { ManualTimers } from '../../testing/timers.ts';
import { openWalletReader } from '../../protocol/positions/wallet-reader.ts';
import { ANNA } from '../../testing/forecasts/test-forecast-events.ts';
import { createTestForecast, TestForecastRounds } from '../../testing/forecasts/test-forecast-rounds.ts';
import { createOutcomeUpdate } from '../../testing/forecasts/test-token-accounts.ts';
import { fetchForWallet } from '../../testing/protocols/accounts.ts';
import { TestView } from '../../testing/protocols/wallet-view.ts';
import { toForecastEvent, toForecastLifecycle } from '../events/forecast-event.ts';
import type { ForecastHolding, ForecastRound } from '../forecast.ts';
import { createForecastPositions } from './forecast-positions.ts';

describe('createForecastPositions', () => {
  it('shows outcome tokens as a position with what they bring, and what they have cost', async () => {
    expect(await fetchElements({})).toEqual([
      {
        type: 'multiple',
        label: 'Deposit',
        assets: [
          {
            type: 'generic',
            name: 'Bitcoin up or down, 14:05 to 14:10 UTC: Up',
            ref: ACCOUNT,
            link: `https://jup.ag/prediction/BISON-${ROUND.address}`,
            amount: 12.5,
            price: 0.6,
            value: 7.5,
            attributes: {
              prediction: {
                market: {
                  marketTitle: 'Up',
                  eventTitle: 'Bitcoin up or down, 14:05 to 14:10 UTC',
                  closeTime: OPENED + 300_000,
                },
                sideName: 'Up',
                feesPaidValue: 0,
                pnlValue: 2.5,
                pnlPercent: 50,
                pnlAfterFeesValue: 2.5,
                pnlAfterFeesPercent: 50,
                createdAt: OPENED + 60_000,
              },
            },
          },
        ],
      },
    ]);
  });

  it.each([
    ['has closed and has no result', { now: OPEN_AT + 300 }, { value: null }],
    ['has won', { round: { outcome: 'up', settledAt: OPEN_AT + 302 } }, { price: 1, value: 12.5 }],
    ['is void', { round: { outcome: 'void', settledAt: OPEN_AT + 902 } }, { price: 0.5, value: 6.25 }],
    ['has no price now', { prices: null }, { value: null }],
  ] as const)('values a side that %s', async (_, change, asset) => {
    const [element] = await fetchElements(change);
    expect(element).toMatchObject({ assets: [asset] });
    if (asset.value === null) expect(JSON.stringify(element)).not.toContain('"price"');
  });

  it('leaves out a side that has lost, and tokens that are none of a round', async () => {
    expect(await fetchElements({ round: { outcome: 'down', settledAt: OPEN_AT + 302 } })).toEqual([]);
    expect(await fetchElements({ mint: ROUND.up.pool })).toEqual([]);
  });

  it('shows tokens whose cost is not known yet without a profit', async () => {
    const [element] = await fetchElements({ holding: null });
    expect(JSON.stringify(element)).toContain('"value":7.5');
    expect(JSON.stringify(element)).not.toContain('pnl');
  });

  it('claims the tokens, so that they are not shown as tokens a second time', async () => {
    const { view, fetcher } = createCase({});
    const wallet = openWalletReader(view, ANNA, [fetcher], () => undefined, new ManualTimers());
    expect(await wallet.claimedMints()).toEqual(new Set([ROUND.up.mint]));
  });
});

const OPEN_AT = 1_796_133_900;
const OPENED = OPEN_AT * 1_000;
const ROUND = createTestForecast({ openAt: OPEN_AT });
const ACCOUNT = createOutcomeUpdate({ owner: ANNA, mint: ROUND.up.mint, amount: 1n }).address;
const HOLDING: ForecastHolding = {
  account: ACCOUNT,
  owner: ANNA,
  mint: ROUND.up.mint,
  contracts: 12_500_000n,
  totalCost: 5_000_000n,
  realizedPnl: 0n,
  openedAt: OPEN_AT + 60,
  updatedAt: OPEN_AT + 60,
};
const PRICES: PredictionPrices = { buyYes: 620_000n, sellYes: 600_000n, buyNo: null, sellNo: null };

interface PositionCase {
  readonly round?: Partial<ForecastRound>;
  readonly now?: number;
  readonly prices?: PredictionPrices | null;
  readonly holding?: ForecastHolding | null;
  readonly mint?: ForecastRound['address'];
}

function createCase({ round: changed, now = OPEN_AT + 100, prices = PRICES, ...change }: PositionCase) {
  const { holding = HOLDING, mint = ROUND.up.mint } = change;
  const round = { ...ROUND, ...changed };
  const event = toForecastEvent(round, toForecastLifecycle(round, now));
  const view = new TestView();
  const { account } = createOutcomeUpdate({ owner: ANNA, mint, amount: 12_500_000n });
  if (account !== null) view.set(ACCOUNT, account.owner, account.data);
  const fetcher = createForecastPositions({
    rounds: new TestForecastRounds([round]),
    holdings: { find: (address) => (address === ACCOUNT ? holding : null) },
    events: {
      findEvent: (eventId) => (eventId === event.eventId ? event : null),
      findMarket: (marketId) => event.markets.find((market) => market.marketId === marketId) ?? null,
    },
    exchange: { getPrices: () => prices },
  });
  return { view, fetcher };
}

async function fetchElements(change: PositionCase) {
  const { view, fetcher } = createCase(change);
  return (await fetchForWallet(fetcher, view, ANNA)).elements;
}
