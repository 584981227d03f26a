import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { address } from '../../solana/address.ts';
import {
  decodeForecastRound,
  decodeForecastSide,
  encodeForecastRound,
  encodeForecastSide,
  FORECAST_ACCOUNT_TAGS,
  FORECAST_ROUND_SIZE,
  FORECAST_SIDE_SIZE,
  type ForecastRoundAccount,
} from './forecast-accounts.ts';
import {
  decodeForecastConfig,
  encodeForecastConfig,
  FORECAST_CONFIG_SIZE,
  type ForecastSchedule,
} from './forecast-config.ts';
import { decodeForecastEvent } from './forecast-events.ts';
import { FORECAST_AUTHORITY, FORECAST_RESERVE } from './forecast-program.ts';
import { FORECAST_TAGS } from './instructions/forecast-instruction.ts';

describe('the accounts of forecasts', () => {
  it('are read as they are written, in the lengths that the program has', () => {
    const round = encodeForecastRound(ROUND);
    expect(round.length).toBe(FORECAST_ROUND_SIZE);
    expect(decodeForecastRound(round)).toEqual(ROUND);
    const side = {
      round: SOME,
      side: 'down' as const,
      mint: OTHER,
      feed: SOME,
      vault: OTHER,
      usdcMint: SOME,
      closeTime: 300n,
      bump: 253,
    };
    expect(encodeForecastSide(side).length).toBe(FORECAST_SIDE_SIZE);
    expect(decodeForecastSide(encodeForecastSide(side))).toEqual(side);
    const config = {
      operator: OTHER,
      schedules: [SCHEDULE, { ...SCHEDULE, asset: 'LONGNAME', seconds: 900 }],
    };
    expect(encodeForecastConfig(config).length).toBe(FORECAST_CONFIG_SIZE);
    expect(decodeForecastConfig(encodeForecastConfig(config))).toEqual(config);
  });

  it('are null for an account of another kind, and refused where they are cut short or not known', () => {
    const round = encodeForecastRound(ROUND);
    expect(decodeForecastSide(round)).toBeNull();
    expect(decodeForecastConfig(round)).toBeNull();
    expect(decodeForecastRound(round.subarray(0, 7))).toBeNull();
    expect(() => decodeForecastRound(round.subarray(0, 100))).toThrow('forecast round');
    expect(() => decodeForecastRound(round.with(120, 4))).toThrow('unknown status');
    const config = encodeForecastConfig({ operator: OTHER, schedules: [SCHEDULE] });
    expect(() => decodeForecastConfig(config.with(40, 9))).toThrow('at most 8 schedules, got 9');
    const nine = Array.from({ length: 9 }, () => SCHEDULE);
    expect(() => encodeForecastConfig({ operator: OTHER, schedules: nine })).toThrow('at most 8');
    const long = { ...SCHEDULE, asset: 'TOO LONG!' };
    expect(() => encodeForecastConfig({ operator: OTHER, schedules: [long] })).toThrow('TOO LONG!');
  });

  it('stand at the addresses that the program has written down', () => {
    expect(FORECAST_AUTHORITY).toEqual({
      address: '6wWJHJCqNnHEe3vcLwXupZHndxqP1xPgVCqZDTN9XQHb',
      bump: 255,
    });
    expect(FORECAST_RESERVE).toBe('2dwtQzuzGWmeD6KVKFeWC53jo9cA5NMWpTFSSrRmzDM4');
  });
});

describe('the discriminators of forecasts', () => {
  it('are those that Anchor derives of the names', () => {
    for (const [name, tag] of Object.entries(FORECAST_TAGS)) {
      const snake = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
      expect(tag, name).toBe(discriminate('global', snake));
    }
    const accounts = { config: 'ForecastConfig', round: 'ForecastRound', side: 'ForecastSide' };
    for (const [kind, tag] of Object.entries(FORECAST_ACCOUNT_TAGS)) {
      const name = accounts[kind as keyof typeof accounts];
      expect(Buffer.from(tag).toString('hex'), name).toBe(discriminate('account', name));
    }
  });

  it('tell events apart, of which those of other programs are null', () => {
    const closed = Buffer.concat([
      Buffer.from(discriminate('event', 'RoundClosed'), 'hex'),
      Buffer.alloc(32 + 8, 1),
      Buffer.alloc(8),
    ]);
    expect(decodeForecastEvent(closed)).toMatchObject({ kind: 'round-closed', timestamp: 0n });
    expect(decodeForecastEvent(Buffer.alloc(64))).toBeNull();
    expect(() => decodeForecastEvent(closed.subarray(0, 40))).toThrow('event of forecasts');
  });
});

const SOME = address('4cSM2e6rvbGQUFiJbqytoVMi5GgghSMr8LwVrT9VPSPo');
const OTHER = address('8sVEMnj8pjbTyYYpbpi4KoRjRjvsPVuGbcWNf2iQQ1hW');

const SCHEDULE: ForecastSchedule = {
  feed: SOME,
  asset: 'BTC',
  seconds: 300,
  funding: 5_000_000_000n,
  deviation: 5_000,
  halfSpread: 10_000,
  slope: 10_001,
};

const ROUND: ForecastRoundAccount = {
  operator: OTHER,
  feed: SOME,
  asset: 'BTC',
  seconds: 300,
  openTime: 1_800_000_000n,
  closeTime: 1_800_000_300n,
  openPrice: 10_850_000_000_000n,
  exponent: -8,
  closePrice: 1n,
  status: 'void',
  settledAt: 1_800_000_900n,
  upOutstanding: 2n,
  downOutstanding: 3n,
  deviation: 4,
  halfSpread: 5,
  slope: 6,
  funding: 7n,
  volume: 8n,
  bump: 9,
  upMint: SOME,
  downMint: OTHER,
};

function discriminate(space: string, name: string): string {
  return createHash('sha256').update(`${space}:${name}`).digest('hex').slice(0, 16);
}
