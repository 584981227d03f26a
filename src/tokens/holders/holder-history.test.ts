import { describe, expect, it } from 'vitest';
import { type HolderHistory, computeHolderChanges, recordHolders } from './holder-history.ts';

describe('computeHolderChanges', () => {
  it('compares with the beginning of each window, and leaves out windows that began before the first count', () => {
    const history = recorded(NOW - 70, [100]);
    recordHolders(history, NOW - 30, 150, true);
    recordHolders(history, NOW - 2, 120, true);
    expect(computeHolderChanges(history, NOW, 120)).toEqual({ '5m': -20, '1h': 20, '6h': null, '24h': null });
    expect(computeHolderChanges([], NOW, 120)).toEqual(NOTHING_KNOWN);
  });

  it('knows a window as soon as it has passed since the first count, also without a change', () => {
    const history = recorded(NOW, [7]);
    expect(computeHolderChanges(history, NOW + 4, 7)['5m']).toBeNull();
    expect(computeHolderChanges(history, NOW + 5, 7)).toEqual({ ...NOTHING_KNOWN, '5m': 0 });
    expect(computeHolderChanges(history, NOW + 1_440, 7)).toEqual({ '5m': 0, '1h': 0, '6h': 0, '24h': 0 });
  });

  it('has no percentage of a token that nobody held', () => {
    expect(computeHolderChanges(recorded(NOW - 5, [0, 10]), NOW, 10)).toEqual(NOTHING_KNOWN);
  });

  it('knows the beginning of every window to a sixtieth of it, although it keeps few points', () => {
    // The count of each minute is its number, so a change tells which minute it was compared with.
    const minutes = 3 * 1_440;
    const history = recorded(
      1,
      Array.from({ length: minutes }, (_, at) => at + 1),
    );
    expect(history.length).toBeLessThan(170);
    const changes = computeHolderChanges(history, minutes, minutes);
    for (const [window, length] of Object.entries({ '5m': 5, '1h': 60, '6h': 360, '24h': 1_440 })) {
      const change = changes[window as keyof typeof changes] ?? Number.NaN;
      const comparedWith = minutes / (1 + change / 100);
      expect(Math.abs(minutes - length - comparedWith)).toBeLessThan(1 + length / 60);
    }
  });
});

describe('recordHolders', () => {
  it('keeps the last count of a minute, and nothing where nothing changed', () => {
    const history = recorded(NOW, [5, 5, 5]);
    recordHolders(history, NOW + 3, 6, true);
    recordHolders(history, NOW + 3, 8, true);
    expect(history).toEqual([
      { minute: NOW, count: 5 },
      { minute: NOW + 3, count: 8 },
    ]);
  });

  it('forgets what was recorded after the time to which the clock was set back', () => {
    const history = recorded(NOW, [5, 6, 7]);
    recordHolders(history, NOW + 1, 9, true);
    expect(history).toEqual([
      { minute: NOW, count: 5 },
      { minute: NOW + 1, count: 9 },
    ]);
  });

  it('does not grow without room, and then knows shorter windows only', () => {
    const history = recorded(NOW - 61, [1, 2], false);
    recordHolders(history, NOW - 6, 3, false);
    expect(history).toEqual([{ minute: NOW - 6, count: 3 }]);
    expect(computeHolderChanges(history, NOW, 3)).toEqual({ ...NOTHING_KNOWN, '5m': 0 });
  });
});

const NOW = 30_000_000;
const NOTHING_KNOWN = { '5m': null, '1h': null, '6h': null, '24h': null };

/** Records a count for each minute from `from` on, and returns the history. */
function recorded(from: number, counts: readonly number[], hasRoom = true): HolderHistory {
  const history: HolderHistory = [];
  for (const [at, count] of counts.entries()) recordHolders(history, from + at, count, hasRoom);
  return history;
}
