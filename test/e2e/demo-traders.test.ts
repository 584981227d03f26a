import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { deriveGenesisKeys, DEFAULT_SEED } from '../../src/protocol/genesis/keys.ts';
import { bannerValue, FREE_PORTS } from './instance.ts';
import { closeStarts, fetchJson, newFolder, start } from './starts.ts';

// The wallets that trade on prediction markets when a network begins, so that no list of a fresh start is empty.

const [seller, raiser, third] = deriveGenesisKeys(DEFAULT_SEED).predictionTraders.map(
  ({ address }) => address,
);
let restUrl: string;
beforeAll(setUp);
afterAll(closeStarts);

describe('an instance on a new network with demo-traders', () => {
  it('has trades and history of three wallets, a profile with a profit, and leaderboards', async () => {
    const trades = await vi.waitFor(async () => {
      const { data } = await ask<Listed<Trade>>('/trades');
      const orders = data.filter(({ marketId }) => marketId.startsWith('DEMO-'));
      expect(orders.length).toBeGreaterThanOrEqual(6);
      return orders;
    });
    expect(new Set(trades.map(({ ownerPubkey }) => ownerPubkey))).toEqual(new Set([seller, raiser, third]));
    expect(trades.filter(({ action }) => action === 'sell')).toMatchObject([
      { ownerPubkey: seller, marketId: 'DEMO-1010-3', side: 'yes' },
    ]);

    const { data: history } = await ask<Listed<{ readonly eventType: string }>>(
      `/history?ownerPubkey=${seller}`,
    );
    expect(history.map(({ eventType }) => eventType)).toContain('order_filled');
    const profile = await ask<Realized>(`/profiles/${seller}`);
    expect(BigInt(profile.realizedPnlUsd)).toBeGreaterThan(0n);
    const { history: points } = await ask<{ readonly history: readonly Realized[] }>(
      `/profiles/${seller}/pnl-history?interval=24h&count=2`,
    );
    expect(points.at(-1)?.realizedPnlUsd).toBe(profile.realizedPnlUsd);
    await vi.waitFor(async () => {
      const { data } = await ask<Listed<Realized>>('/leaderboards?metric=pnl');
      // A forecast that is decided meanwhile may bring another wallet more.
      expect(data).toContainEqual(
        expect.objectContaining({ ownerPubkey: seller, realizedPnlUsd: profile.realizedPnlUsd }),
      );
    });
  });
});

interface Trade {
  readonly ownerPubkey: string;
  readonly marketId: string;
  readonly action: string;
}

interface Listed<Row> {
  readonly data: readonly Row[];
}

interface Realized {
  readonly realizedPnlUsd: string;
}

async function setUp(): Promise<void> {
  const others = FREE_PORTS.filter((flag) => !flag.startsWith('--demo-traders'));
  const banner = await start(newFolder(), ...others, '--ephemeral', '--demo-traders').ready();
  restUrl = bannerValue(banner, 'REST');
}

async function ask<Answer>(path: string): Promise<Answer> {
  const { status, body } = await fetchJson(`${restUrl}/prediction/v1${path}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body as Answer;
}
