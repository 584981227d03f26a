import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { advanceFill, type FillAction, type FillEvent, type FillState } from './fill-state.ts';

const SEED = 20_261_123;
const EVENTS: readonly FillEvent[] = [
  ...(['signed', 'tampered', 'deadline', 'withdrawn', 'abandoned'] as const),
  ...(['stored', 'unstored', 'landed', 'lost'] as const),
];
const ENDS: readonly FillState[] = ['confirmed', 'failed', 'expired', 'rejected'];
const isOver = (state: FillState) => ENDS.includes(state);

interface Life {
  readonly states: readonly FillState[];
  readonly actions: readonly FillAction[];
}

function live(events: readonly FillEvent[]): Life {
  const states: FillState[] = ['offered'];
  const actions: FillAction[] = [];
  for (const event of events) {
    const step = advanceFill(states.at(-1) ?? 'offered', event);
    if (step === null) continue;
    states.push(step.state);
    actions.push(...step.actions);
  }
  return { states, actions };
}

const count = (actions: readonly FillAction[], ...wanted: FillAction[]) =>
  actions.filter((action) => wanted.includes(action)).length;

function always(holds: (life: Life) => void): void {
  const events = fc.array(fc.constantFrom(...EVENTS), { maxLength: 12 });
  fc.assert(
    fc.property(events, (happened) => {
      holds(live(happened));
    }),
    { seed: SEED, numRuns: 5_000 },
  );
}

describe('the life of a swap with a maker', () => {
  it('frees or spends the inventory once, at its end and not before', () => {
    always(({ states, actions }) => {
      const ended = isOver(states.at(-1) ?? 'offered');
      expect(count(actions, 'release', 'settle')).toBe(ended ? 1 : 0);
      expect(count(actions, 'settle')).toBe(states.includes('confirmed') ? 1 : 0);
    });
  });

  it('sends once at most, and only what the maker signed and what is stored', () => {
    always(({ states, actions }) => {
      expect(count(actions, 'send')).toBeLessThanOrEqual(1);
      if (!actions.includes('send')) return;
      expect(states.slice(0, 3)).toEqual(['offered', 'submitted', 'landing']);
      expect(actions.indexOf('store')).toBeLessThan(actions.indexOf('send'));
    });
  });

  it('counts for or against the maker once at most, and against it only when it did not sign', () => {
    always(({ states, actions }) => {
      const counts = count(actions, 'count-filled', 'count-missed', 'count-tampered');
      expect(counts).toBeLessThanOrEqual(1);
      const against = count(actions, 'count-missed', 'count-tampered') === 1;
      if (against) expect(states).not.toContain('submitted');
      expect(count(actions, 'count-filled')).toBe(states.includes('confirmed') ? 1 : 0);
    });
  });

  it('tells the maker the end once at most, and never two', () => {
    always(({ actions }) => expect(count(actions, 'tell-confirmed', 'tell-failed')).toBeLessThanOrEqual(1));
  });

  it('has no way out of an end, and a way to one from everywhere else', () => {
    always(({ states }) => {
      const before = states.slice(0, -1);
      expect(before.filter(isOver)).toEqual([]);
      const last = states.at(-1) ?? 'offered';
      if (isOver(last)) return;
      const next = EVENTS.flatMap((event) => advanceFill(last, event)?.state ?? []);
      expect(next.length).toBeGreaterThan(0);
    });
  });
});
