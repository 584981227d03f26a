import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../testing/random.ts';
import { advanceFill, type FillAction, type FillEvent, type FillState } from './fill-state.ts';

describe('advanceFill', () => {
  it('is checked on every step of the table', () => {
    const taken = new Set<string>();
    always(({ steps }) => {
      for (const { from, event } of steps) taken.add(`${from} ${event}`);
    });
    const all = ALL_STATES.flatMap((state) =>
      EVENTS.filter((event) => advanceFill(state, event) !== null).map((event) => `${state} ${event}`),
    );
    expect([...taken].sort()).toEqual(all.sort());
  });

  it('keeps the inventory reserved while the fill waits for its maker or the chain, and only then', () => {
    always(({ steps }) => {
      let reserved = 1;
      for (const { to, actions } of steps) {
        reserved += count(actions, 'hold') - count(actions, 'release', 'settle');
        expect(reserved).toBe(STATES[to] === 'pending' ? 1 : 0);
      }
    });
  });

  it('counts the inventory as spent exactly when a signed fill lands', () => {
    always(({ steps, actions }) => {
      const landed = steps.some(({ from, to }) => from === 'landing' && to === 'confirmed');
      expect(count(actions, 'settle')).toBe(landed ? 1 : 0);
      expect(count(actions, 'count-filled')).toBe(landed ? 1 : 0);
    });
  });

  it('submits once at most, and only what the maker signed and what is recorded', () => {
    always(({ steps, actions }) => {
      expect(count(actions, 'submit')).toBeLessThanOrEqual(1);
      const at = steps.findIndex((step) => step.actions.includes('submit'));
      if (at < 0) return;
      expect(steps[at]).toMatchObject({ from: 'submitted', event: 'stored', to: 'landing' });
      expect(steps[at - 1]).toMatchObject({ event: 'signed', actions: ['store'] });
    });
  });

  it('answers the caller of last look once for each offer', () => {
    always((life) => {
      const offers = 1 + happened(life, 'resumed');
      const unanswered = ['offered', 'due', 'submitted'].includes(life.last) ? 1 : 0;
      const answers = count(life.actions, 'submit', 'refuse');
      // Once the transaction is found on chain, no signature is waited for.
      expect(answers).toBe(offers - unanswered - happened(life, 'found'));
    });
  });

  it('counts at most once for or against the maker, and against it only if it broke its promise', () => {
    always(({ actions, states, steps }) => {
      expect(count(actions, 'count-filled', 'count-missed', 'count-tampered')).toBeLessThanOrEqual(1);
      expect(count(actions, 'count-tampered')).toBe(states.includes('tampered') ? 1 : 0);
      const at = steps.findIndex((step) => step.actions.includes('count-missed'));
      if (at < 0) return;
      expect(['missed', 'broken']).toContain(steps[at]?.from);
      const sinceOffer = states.slice(states.lastIndexOf('offered'));
      expect(sinceOffer.includes('submitted')).toBe(steps[at]?.from === 'broken' && !wasFound(steps));
    });
  });

  it('notifies the maker of a failure once at most, and never after a success', () => {
    always(({ actions }) => {
      expect(count(actions, 'notify-confirmed')).toBeLessThanOrEqual(1);
      expect(count(actions, 'notify-failed')).toBeLessThanOrEqual(1);
      const confirmed = actions.indexOf('notify-confirmed');
      if (confirmed >= 0) expect(actions.indexOf('notify-failed', confirmed)).toBe(-1);
    });
  });

  it('notifies the maker of every confirmation, and of a failure first only when the fill landed late', () => {
    always(({ actions, states, last }) => {
      expect(count(actions, 'notify-confirmed')).toBe(last === 'confirmed' ? 1 : 0);
      const both = actions.includes('notify-confirmed') && actions.includes('notify-failed');
      if (both) expect(states.at(-2)).toBe('expired');
    });
  });

  it('blames the maker only once the end is recorded or the chain has decided', () => {
    always(({ steps }) => {
      for (const { from, event, actions } of steps) {
        if (count(actions, 'count-missed', 'notify-failed') === 0) continue;
        const decided = STATES[from] === 'failing' && event === 'unrecorded';
        expect(event === 'recorded' || decided).toBe(true);
      }
    });
  });

  it('leaves the end to another process that has recorded one, and does nothing more', () => {
    always(({ steps }) => {
      for (const { event, to, actions } of steps) {
        if (event === 'superseded') expect({ to, actions }).toEqual({ to: 'superseded', actions: [] });
      }
    });
  });

  it('accepts a late landing of every refused fill, and counts nothing for it', () => {
    const refused = ALL_STATES.filter((state) => STATES[state] === 'refused');
    for (const state of [...refused, 'expired', 'rejected'] as const) {
      expect(advanceFill(state, 'landed')).toEqual({ state: 'confirmed', actions: ['notify-confirmed'] });
      expect(advanceFill(state, 'lost')).toEqual({ state: 'failed', actions: [] });
    }
  });

  it('offers a fill again whose end is not recorded, unless its maker has failed or another process goes on with it', () => {
    const again = ALL_STATES.filter((state) => advanceFill(state, 'resumed') !== null);
    expect(again.sort()).toEqual(['given-up', 'withdrawn']);
    for (const state of again) {
      expect(advanceFill(state, 'resumed')).toEqual({ state: 'offered', actions: ['hold'] });
    }
  });

  it('counts a fill that its maker missed or broke once its end is known, and no other', () => {
    const counted = ALL_STATES.flatMap((state) =>
      EVENTS.filter((event) => advanceFill(state, event)?.actions.includes('count-missed')).map(
        (event) => `${state} ${event}`,
      ),
    );
    expect(counted.sort()).toEqual(['broken recorded', 'broken unrecorded', 'missed recorded']);
  });

  it('has no step out of a final state, and a way to an end from every other state', () => {
    const next = (state: FillState) => EVENTS.flatMap((event) => advanceFill(state, event)?.state ?? []);
    for (const state of ALL_STATES) {
      const reached = new Set<FillState>([state]);
      for (const each of reached) for (const to of next(each)) reached.add(to);
      if (FINAL.includes(state)) expect([...reached]).toEqual([state]);
      else expect(reached).toContain('failed');
      // Only what is lost can no longer be confirmed.
      const canLand = STATES[state] !== 'failing' && !['failed', 'superseded'].includes(state);
      expect(reached.has('confirmed')).toBe(canLand);
    }
  });
});

describe('advanceFill of a webhook fill', () => {
  it('is checked on every step of the table', () => {
    const taken = new Set<string>();
    always(({ steps }) => {
      for (const { from, event } of steps) taken.add(`${from} ${event}`);
    });
    const undecided: readonly FillState[] = [
      ...(['sent', 'possible', 'impossible', 'excused', 'declined', 'declined-excused'] as const),
      ...DECIDED,
    ];
    const all = undecided.flatMap((state) =>
      WEBHOOK_EVENTS.filter(
        (event) => !DECIDED.includes(state) || event === 'recorded' || event === 'superseded',
      )
        .filter((event) => advanceFill(state, event) !== null)
        .map((event) => `${state} ${event}`),
    );
    expect([...taken].sort()).toEqual(all.sort());
  });

  it('counts once, when the end is recorded, and not if another process has recorded one', () => {
    always(({ actions, last }) => {
      const counts = count(actions, 'count-filled', 'count-missed', 'count-excused');
      expect(counts).toBe(ENDS.includes(last) && last !== 'superseded' ? 1 : 0);
      expect(count(actions, 'count-filled')).toBe(last === 'confirmed' ? 1 : 0);
    });
  });

  it('blames the maker only for what it broke, and for what it could have made or declined without cause', () => {
    always((life) => {
      if (count(life.actions, 'count-missed') === 0) return;
      const isBroken = happened(life, 'broken') > 0;
      const couldBeMade = life.states.includes('possible') || life.states.includes('declined');
      expect(isBroken || (couldBeMade && !isExcused(life))).toBe(true);
    });
  });

  it('keeps an excuse, whatever follows', () => {
    always((life) => {
      const at = life.states.findIndex((state) => state === 'excused' || state === 'declined-excused');
      if (at < 0) return;
      const open = life.states.slice(at).filter((state) => !DECIDED.includes(state) && !ENDS.includes(state));
      expect(open.every((state) => state === 'excused' || state === 'declined-excused')).toBe(true);
      expect(count(life.actions, 'count-missed')).toBe(
        life.states.includes('broken') && life.last === 'failed' ? 1 : 0,
      );
    });
  });

  it('turns a maker off that lands what it declined, and no other', () => {
    always((life) => {
      const isOff = isDeclined(life) && life.last === 'confirmed';
      expect(count(life.actions, 'count-landed-though-declined')).toBe(isOff ? 1 : 0);
    });
  });

  it('neither reserves inventory nor asks for a signature', () => {
    always(({ actions }) => {
      expect(count(actions, 'judge', 'store', 'submit', 'refuse', 'hold', 'release', 'settle')).toBe(0);
    });
  });

  const ENDS: readonly FillState[] = ['confirmed', 'failed', 'expired', 'superseded'];
  /** The states that the driver leaves only by recording the end. */
  const DECIDED: readonly FillState[] = [
    'made',
    'made-though-declined',
    'missed',
    'given-up',
    'lost',
    'broken',
  ];

  /** Lives as `WebhookSettlement` drives them: once the chain has decided, only the record of the end follows. */
  function always(holds: (life: Life) => void): void {
    const events = fc.array(fc.constantFrom(...WEBHOOK_EVENTS), { maxLength: 30 });
    assertProperty(
      fc.property(events, (order) => {
        const taken: FillEvent[] = [];
        for (const event of order) {
          const { last } = live(taken, 'sent');
          if (ENDS.includes(last)) break;
          const isRecord = event === 'recorded' || event === 'superseded';
          if (isRecord === DECIDED.includes(last)) taken.push(event);
        }
        holds(live(taken, 'sent'));
      }),
      { cases: 5_000, short: 5_000, seed: SEED },
    );
  }

  const isDeclined = ({ steps }: Life) =>
    steps.some(({ to }) => to === 'declined' || to === 'declined-excused');
  const isExcused = ({ steps }: Life) =>
    steps.some(({ to }) => to === 'excused' || to === 'declined-excused');
});

const SEED = 20_261_123;
const EVENTS: readonly FillEvent[] = [
  ...(['signed', 'tampered', 'deadline', 'missed', 'withdrawn', 'hopeless', 'abandoned'] as const),
  ...(['resumed', 'stored', 'unstored', 'found', 'landed', 'lost', 'broken'] as const),
  ...(['recorded', 'unrecorded', 'superseded'] as const),
];
/** The events that a webhook fill adds. */
const WEBHOOK_EVENTS: readonly FillEvent[] = [
  ...(['possible', 'impossible', 'excused', 'declined', 'declined-impossible'] as const),
  ...(['landed', 'lost', 'broken', 'late', 'denied', 'recorded', 'superseded'] as const),
];
/** With whether the fill waits for its maker or for the chain, so that the maker's inventory is reserved. */
const STATES: Readonly<Record<FillState, 'pending' | 'refused' | 'failing' | 'over' | 'webhook'>> = {
  offered: 'pending',
  due: 'pending',
  submitted: 'pending',
  landing: 'pending',
  missed: 'refused',
  withdrawn: 'refused',
  'given-up': 'refused',
  tampered: 'refused',
  lost: 'failing',
  broken: 'failing',
  confirmed: 'over',
  failed: 'over',
  expired: 'over',
  rejected: 'over',
  superseded: 'over',
  sent: 'webhook',
  possible: 'webhook',
  impossible: 'webhook',
  excused: 'webhook',
  declined: 'webhook',
  'declined-excused': 'webhook',
  made: 'webhook',
  'made-though-declined': 'webhook',
};
const ALL_STATES = (Object.keys(STATES) as FillState[]).filter((state) => STATES[state] !== 'webhook');
/** Nothing follows these; a fill that expired or was rejected can still land. */
const FINAL: readonly FillState[] = ['confirmed', 'failed', 'superseded'];

interface Taken {
  readonly from: FillState;
  readonly event: FillEvent;
  readonly to: FillState;
  readonly actions: readonly FillAction[];
}

interface Life {
  readonly steps: readonly Taken[];
  readonly states: readonly FillState[];
  readonly last: FillState;
  readonly actions: readonly FillAction[];
}

function live(events: readonly FillEvent[], first: FillState = 'offered'): Life {
  const steps: Taken[] = [];
  let last = first;
  for (const event of events) {
    const step = advanceFill(last, event);
    if (step === null) continue;
    steps.push({ from: last, event, to: step.state, actions: step.actions });
    last = step.state;
  }
  const states: FillState[] = [first, ...steps.map(({ to }) => to)];
  return { steps, states, last, actions: steps.flatMap(({ actions }) => actions) };
}

const count = (actions: readonly FillAction[], ...wanted: FillAction[]) =>
  actions.filter((action) => wanted.includes(action)).length;

const happened = ({ steps }: Life, wanted: FillEvent) => steps.filter(({ event }) => event === wanted).length;

/** Whether the fill was found on chain without a signature of its maker. */
const wasFound = (steps: readonly Taken[]) => steps.some(({ event }) => event === 'found');

function always(holds: (life: Life) => void): void {
  const events = fc.array(fc.constantFrom(...EVENTS), { maxLength: 60 });
  assertProperty(
    fc.property(events, (order) => {
      holds(live(order));
    }),
    { cases: 5_000, short: 5_000, seed: SEED },
  );
}
