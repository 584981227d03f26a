import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../testing/random.ts';
import {
  advanceMaker,
  type BreakerPolicy,
  DEFAULT_BREAKER,
  type MakerEvent,
  type MakerState,
  NEW_MAKER,
  toMakerStatus,
  type Transition,
} from './maker-state.ts';

describe('advanceMaker', () => {
  it('keeps a maker in the market while its swap stream is live', () => {
    const { transitions } = run([
      [1, of('connected')],
      [2, of('disconnected')],
    ]);
    expect(transitions).toEqual([
      { from: 'offline', to: 'prod', at: 1, cause: 'the swap stream is live' },
      { from: 'prod', to: 'offline', at: 2, cause: 'the swap stream dropped' },
    ]);
  });

  it('keeps a maker offline after tampering, whatever its stream does, until the operator reinstates it', () => {
    const tampered: [number, MakerEvent][] = [
      [1, of('connected')],
      [2, { kind: 'tampered', swapUuid: 'a' }],
      [3, of('disconnected')],
      [4, of('connected')],
    ];
    expect(run(tampered)).toMatchObject({ status: 'offline' });
    expect(run(tampered).transitions).toHaveLength(2);
    expect(run([...tampered, [5, of('reinstated')]])).toMatchObject({ status: 'prod' });
  });

  it('suspends a maker below the threshold once there are enough swaps, and ends the suspension by itself', () => {
    const nine = [[1, of('connected')] as const, ...swaps('filled', 4), ...swaps('missed', 5)];
    expect(run(nine).status).toBe('prod');
    const ten = [...nine, ...swaps('missed', 1, 1, 5)];
    expect(run(ten)).toMatchObject({ status: 'suspended', state: { suspendedUntil: 600_001 } });
    expect(run(ten).transitions.at(-1)?.cause).toBe(
      '4 of the last 10 swaps were filled, which is less than 50%',
    );
    expect(run([...ten, [600_000, of('time')]]).status).toBe('suspended');
    expect(run([...ten, [600_001, of('time')]]).status).toBe('prod');
    expect(run([...ten, [2, of('disconnected')], [600_001, of('time')]]).status).toBe('offline');
  });

  it('does not suspend at the threshold, nor while the breaker is off', () => {
    const even = [[1, of('connected')] as const, ...swaps('missed', 5), ...swaps('filled', 5)];
    expect(run(even).status).toBe('prod');
    expect(run([...even, ...swaps('missed', 50, 1, 5)], DEFAULT_BREAKER).status).toBe('prod');
  });

  it('counts a swap once, and only within the window', () => {
    const one = [[1, of('connected')] as const, ...swaps('missed', 1)];
    const again = Array.from({ length: 20 }, () => swaps('missed', 1)).flat();
    expect(run([...one, ...again]).status).toBe('prod');
    const old = [[1, of('connected')] as const, ...swaps('missed', 9)];
    expect(run([...old, ...swaps('missed', 1, 3_600_001, 9)])).toMatchObject({
      status: 'prod',
      state: { outcomes: [{ at: 3_600_001 }] },
    });
  });

  it('holds its invariants over any sequence of events', () => {
    const event: fc.Arbitrary<MakerEvent> = fc.oneof(
      fc
        .constantFrom('connected', 'disconnected', 'disabled', 'enabled', 'reinstated', 'time')
        .map((kind) => ({ kind }) as MakerEvent),
      fc.record({
        kind: fc.constantFrom('filled' as const, 'missed' as const),
        swapUuid: fc.nat(200).map(String),
      }),
      fc.record({ kind: fc.constant('tampered' as const), swapUuid: fc.nat(200).map(String) }),
    );
    const policy = fc.record({
      enabled: fc.boolean(),
      windowMs: fc.integer({ min: 1, max: 1_000 }),
      minimumSwaps: fc.integer({ min: 1, max: 5 }),
      thresholdPercent: fc.integer({ min: 1, max: 100 }),
      suspensionMs: fc.integer({ min: 1, max: 100 }),
    });
    const course = fc.array(fc.tuple(fc.nat(50), event), { maxLength: 60 });
    assertProperty(
      fc.property(policy, course, (breaker, steps) => {
        let state: MakerState = NEW_MAKER;
        let now = 0;
        // What an observer of the events alone knows.
        let [connected, disabled, tampered] = [false, false, false];
        for (const [delay, one] of steps) {
          now += delay;
          const before = toMakerStatus(state);
          const { state: after, transitions } = advanceMaker(state, one, now, breaker);
          if (one.kind === 'connected' || one.kind === 'disconnected') connected = one.kind === 'connected';
          if (one.kind === 'disabled' || one.kind === 'enabled') disabled = one.kind === 'disabled';
          if (one.kind === 'tampered' || one.kind === 'reinstated') tampered = one.kind === 'tampered';
          const status = toMakerStatus(after);
          if (disabled || tampered) expect(status).toBe('offline');
          if (status === 'prod') expect([connected, disabled, tampered]).toEqual([true, false, false]);
          if (status === 'suspended') expect(breaker.enabled && (after.suspendedUntil ?? 0) > now).toBe(true);
          if (!breaker.enabled) expect(after.suspendedUntil).toBeNull();
          // The transitions lead from the one status to the other without a gap, and each is a change.
          const path = transitions.flatMap(({ from, to }) => [from, to]);
          expect([before, ...path.filter((_, i) => i % 2 === 1)].at(-1)).toBe(status);
          expect(path.length === 0 ? before : path[0]).toBe(before);
          for (const { from, to, cause } of transitions)
            expect([from === to, cause === '']).toEqual([false, false]);
          expect(new Set(after.outcomes.map(({ swapUuid }) => swapUuid)).size).toBe(after.outcomes.length);
          state = after;
        }
      }),
      { cases: 500, seed: SEED },
    );
  });
});

const SEED = 20_261_121;
const BREAKER: BreakerPolicy = { ...DEFAULT_BREAKER, enabled: true };

function run(events: readonly (readonly [number, MakerEvent])[], policy = BREAKER) {
  let state = NEW_MAKER;
  const transitions: Transition[] = [];
  for (const [at, event] of events) {
    const next = advanceMaker(state, event, at, policy);
    state = next.state;
    transitions.push(...next.transitions);
  }
  return { state, status: toMakerStatus(state), transitions };
}

const of = (kind: 'connected' | 'disconnected' | 'disabled' | 'enabled' | 'reinstated' | 'time') =>
  ({ kind }) as const;
const swaps = (kind: 'filled' | 'missed', count: number, at = 1, from = 0) =>
  Array.from({ length: count }, (_, i) => [at, { kind, swapUuid: `${kind}-${from + i}` }] as const);
