import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../testing/random.ts';
import { advanceMaker, type BreakerPolicy, DEFAULT_BREAKER, NEW_MAKER } from '../makers/maker-state.ts';
import { advanceWebhook, NEW_WEBHOOK, WEBHOOK_CONDUCT } from '../webhooks/conduct.ts';
import { computeBreakerView, computeWebhookBreakerView } from './breaker-view.ts';

describe('computeBreakerView', () => {
  it('counts exactly the misses after which the maker is suspended', () => {
    const cases = fc.record({
      minimumSwaps: fc.integer({ min: 1, max: 12 }),
      thresholdPercent: fc.integer({ min: 1, max: 100 }),
      outcomes: fc.array(fc.constantFrom('filled', 'filled', 'missed'), { maxLength: 30 }),
    });
    assertProperty(
      fc.property(cases, ({ outcomes, ...rules }) => {
        const policy: BreakerPolicy = { ...DEFAULT_BREAKER, ...rules, enabled: true };
        let state = NEW_MAKER;
        for (const [swap, kind] of outcomes.entries()) {
          state = advanceMaker(state, { kind, swapUuid: `${swap}` }, NOW, policy).state;
        }
        const seen = computeBreakerView(state, policy, NOW);
        if (state.suspendedUntil !== null) {
          expect(seen).toMatchObject({ state: 'suspended', missesLeft: null });
          return;
        }
        let missed = 0;
        while (state.suspendedUntil === null) {
          const miss = { kind: 'missed', swapUuid: `missed ${missed++}` } as const;
          state = advanceMaker(state, miss, NOW, policy).state;
        }
        expect(seen.missesLeft).toBe(missed);
      }),
      { cases: 500, seed: 4501 },
    );
  });

  it('says nothing about misses that suspend nobody', () => {
    const outcomes = [{ swapUuid: 'one', at: NOW, filled: false }];
    const seen = { swaps: 1, filled: 0, missesLeft: null };
    const state = { ...NEW_MAKER, outcomes };
    expect(computeBreakerView(state, DEFAULT_BREAKER, NOW)).toEqual({ state: 'off', ...seen });
    const never = { ...DEFAULT_BREAKER, enabled: true, thresholdPercent: 0 };
    expect(computeBreakerView(state, never, NOW)).toEqual({ state: 'closed', ...seen });
  });

  it('leaves out swaps that are older than the window', () => {
    const outcomes = [{ swapUuid: 'one', at: NOW - DEFAULT_BREAKER.windowMs, filled: true }];
    expect(computeBreakerView({ ...NEW_MAKER, outcomes }, DEFAULT_BREAKER, NOW).swaps).toBe(0);
  });
});

describe('computeWebhookBreakerView', () => {
  it('counts the misses after which the operator must enable the webhook', () => {
    let state = NEW_WEBHOOK;
    for (let swap = 0; swap < 40; swap++) state = advance(state, 'filled', swap);
    const { missesLeft } = computeWebhookBreakerView(state, WEBHOOK_CONDUCT, NOW);
    expect(missesLeft).toBe(3);
    for (let swap = 0; swap < 2; swap++) state = advance(state, 'missed', 100 + swap);
    expect(state.off).toBeNull();
    state = advance(state, 'missed', 102);
    expect(state.off).not.toBeNull();
    expect(computeWebhookBreakerView(state, WEBHOOK_CONDUCT, NOW).state).toBe('suspended');
  });
});

const NOW = 1_800_000_000_000;

function advance(state: typeof NEW_WEBHOOK, kind: 'filled' | 'missed', swap: number) {
  return advanceWebhook(state, { kind, requestId: `${swap}` }, NOW, WEBHOOK_CONDUCT).state;
}
