import { describe, expect, it } from 'vitest';
import { createTestForecast } from '../../testing/forecasts/test-forecast-rounds.ts';
import type { Address } from '../../solana/address.ts';
import type { ForecastRound } from '../forecast.ts';
import { OutcomeMints } from './outcome-mints.ts';

describe('OutcomeMints', () => {
  it('knows the tokens of rounds, also when the chain has lost them', () => {
    const rounds = new Map<Address, ForecastRound>();
    const listeners = new Set<(round: Address) => void>();
    const put = (round: ForecastRound) => rounds.set(round.address, round);
    const tell = (round: ForecastRound) => {
      for (const listener of listeners) listener(round.address);
    };
    const first = createTestForecast();
    const second = createTestForecast({ openAt: first.closeAt });
    put(first);
    const mints = new OutcomeMints({
      find: (round) => rounds.get(round) ?? null,
      list: () => [...rounds.values()],
      onChange: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    });
    expect([first.up.mint, first.down.mint, second.up.mint].map(mints.has)).toEqual([true, true, false]);
    put(second);
    tell(second);
    rounds.delete(first.address);
    tell(first);
    expect([first.up.mint, second.down.mint, first.address].map(mints.has)).toEqual([true, true, false]);
    mints.close();
    expect(listeners.size).toBe(0);
  });
});
