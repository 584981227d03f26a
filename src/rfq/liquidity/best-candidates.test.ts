import { describe, expect, it } from 'vitest';
import type { PoolHandle } from '../../market/pools/liquidity.ts';
import { selectBestCandidates, type BookCandidate } from './best-candidates.ts';

describe('selectBestCandidates', () => {
  it('returns the three that pay most, best first, whatever their order', () => {
    const candidates = [1, 5, 3, 4, 2].map((pays) => candidate(`${pays}`, pays));
    expect(names(candidates)).toEqual(['5', '4', '3']);
    expect(names(candidates.reverse())).toEqual(['5', '4', '3']);
  });

  it('keeps two places for direct books, however much others would pay', () => {
    const ways = [90, 80, 70].map((pays) => candidate(`way ${pays}`, pays, onTheWay));
    const direct = [3, 2, 1].map((pays) => candidate(`direct ${pays}`, pays));
    expect(names([...ways, ...direct])).toEqual(['direct 3', 'direct 2', 'way 90']);
  });

  it('gives the places of direct books to others if there are no direct books', () => {
    const ways = [90, 80, 70, 60].map((pays) => candidate(`way ${pays}`, pays, onTheWay));
    expect(names(ways)).toEqual(['way 90', 'way 80', 'way 70']);
    expect(names([...ways, candidate('direct', 1)])).toEqual(['direct', 'way 90', 'way 80']);
  });

  it('returns only the best book of each maker, direct or not', () => {
    const greedy = { makerId: 'greedy' };
    const candidates = [
      candidate('greedy direct', 10, greedy),
      candidate('greedy way', 20, { ...greedy, ...onTheWay }),
      candidate('greedy worse', 9, greedy),
      candidate('one', 5),
      candidate('two', 4),
    ];
    expect(names(candidates)).toEqual(['one', 'two', 'greedy way']);
  });

  it('ranks by the exact amount, and leaves out books without a possible fill', () => {
    const candidates = [
      candidate('claims', 100, { exact: () => 1 }),
      candidate('unwritable', 1_000, { exact: () => 0 }),
      candidate('honest', 50),
      candidate('fair', 49),
      candidate('dear', 2),
    ];
    expect(names(candidates)).toEqual(['honest', 'fair', 'dear']);
  });

  it('does not compute the exact amount of candidates that cannot be among the best', () => {
    let asked = 0;
    const candidates = Array.from({ length: 1_000 }, (_, pays) =>
      candidate(`${pays}`, pays + 1, {
        exact: () => {
          asked++;
          return pays + 1;
        },
      }),
    );
    expect(names(candidates)).toEqual(['999', '998', '997']);
    expect(asked).toBeLessThanOrEqual(4);
  });
});

/** The name tells candidates apart, as a book would. */
function candidate(name: string, pays: number, options: Partial<BookCandidate> = {}): BookCandidate {
  return {
    handle: { name } as unknown as PoolHandle,
    makerId: name,
    isDirect: true,
    estimated: pays,
    exact: () => pays,
    ...options,
  };
}

function names(candidates: readonly BookCandidate[]): readonly unknown[] {
  return selectBestCandidates(candidates).map(({ handle }) => (handle as unknown as { name: string }).name);
}

const onTheWay = { isDirect: false };
