import { describe, expect, it } from 'vitest';
import { ManualTimers } from '../testing/timers.ts';
import { ChainUnavailable, type LamportSupply } from '../chain/chain.ts';
import { SolSupply } from './sol-supply.ts';

describe('SolSupply', () => {
  it('is counted again after a minute, and never by two reads at once', async () => {
    const { supply, timers, defects } = opened([of(1n), of(2n)]);
    expect(supply.known).toBeNull();
    await Promise.all([supply.refreshIfDue(), supply.refreshIfDue()]);
    timers.advance(59_999);
    await supply.refreshIfDue();
    expect(supply.known).toEqual(of(1n));
    timers.advance(1);
    await supply.refreshIfDue();
    expect(supply.known).toEqual(of(2n));
    expect(defects).toEqual([]);
  });

  it('keeps the last count while the node does not answer, and tells of it once', async () => {
    const gone = new ChainUnavailable('the node is gone');
    const { supply, timers, defects } = opened([of(1n), gone, gone, of(2n), gone]);
    for (const expected of [1n, 1n, 1n, 2n, 2n]) {
      await supply.refreshIfDue();
      expect(supply.known).toEqual(of(expected));
      timers.advance(60_000);
    }
    expect(defects).toEqual([gone, gone]);
  });
});

const of = (total: bigint): LamportSupply => ({ total, circulating: total });

function opened(answers: (LamportSupply | Error)[]) {
  const timers = new ManualTimers();
  const defects: unknown[] = [];
  const supply = new SolSupply({
    chain: {
      lamportSupply: async () => {
        const answer = answers.shift();
        if (answer === undefined || answer instanceof Error) throw answer ?? new Error('asked too often');
        return answer;
      },
    },
    timers,
    onDefect: (error) => defects.push(error),
  });
  return { supply, timers, defects };
}
