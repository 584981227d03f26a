import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NaiveExchange } from '../../testing/exchange/naive-exchange.ts';
import { RandomLife, randomSteps, randomTerms } from '../../testing/exchange/random-commands.ts';
import { assertProperty } from '../../testing/random.ts';
import { ExchangeState } from './exchange-state.ts';

describe('ExchangeState', () => {
  it('trades as an exchange does that searches a list of orders for each trade', () => {
    let trades = 0;
    const property = fc.property(randomTerms, randomSteps, (terms, steps) => {
      const state = new ExchangeState();
      state.apply({ kind: 'open', terms });
      const naive = new NaiveExchange(terms);
      const life = new RandomLife();
      for (const step of steps) {
        const command = life.toCommand(step);
        if (command === null) continue;
        const outcome = state.apply(command);
        const expected = naive.apply(command);
        expect(outcome.trades).toEqual(expected.trades);
        expect(outcome.ended.map(({ address, reason }) => ({ address, reason })).sort(byAddress)).toEqual(
          expected.ended.sort(byAddress),
        );
        trades += outcome.trades.length;
        life.note(outcome);
      }
    });
    assertProperty(property, { cases: 5_000, seed: 4_202, against: 'an exchange that searches a list' });
    expect(trades).toBeGreaterThan(1_000);
  });
});

function byAddress(one: { readonly address: string }, other: { readonly address: string }): number {
  return one.address < other.address ? -1 : 1;
}
