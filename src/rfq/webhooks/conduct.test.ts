import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../testing/random.ts';
import {
  advanceWebhook,
  NEW_WEBHOOK,
  WEBHOOK_CONDUCT,
  type WebhookEvent,
  type WebhookState,
  computeWebhookStatus,
} from './conduct.ts';

describe('advanceWebhook', () => {
  it.each([
    [1, 5],
    [2, 10],
    [3, 20],
    [4, 30],
    [9, 30],
  ])('suspends after %i failures for %i minutes', (failures, minutes) => {
    const state = stateAfter(new Array<'missed'>(failures).fill('missed'));
    expect(state.suspendedUntil).toBe(minutes * MINUTE);
    expect(computeWebhookStatus(state, minutes * MINUTE - 1)).toBe('suspended');
    expect(computeWebhookStatus(state, minutes * MINUTE)).toBe('prod');
  });

  it('takes a fifth of the failures off for each confirmed fill', () => {
    const failed = stateAfter(['missed', 'missed', 'missed']);
    expect(failed.failures).toBe(3_000);
    const relieved = stateAfter(['filled', 'filled', 'filled', 'filled'], failed, 1);
    expect(relieved.failures).toBe(1_228);
    // The next failure is the third again, not the fourth.
    const again = stateAfter(['missed'], relieved, 40 * MINUTE);
    expect(again.suspendedUntil).toBe(60 * MINUTE);
  });

  it('turns a webhook off that fills less than 95 % within the hour, until the operator enables it', () => {
    const filled = new Array<'filled'>(18).fill('filled');
    expect(stateAfter([...filled, 'filled', 'missed']).off).toBeNull();
    const state = stateAfter([...filled, 'missed', 'missed']);
    expect(state.off).toBe('18 of the last 20 swaps were filled, which is less than 95%');
    expect(computeWebhookStatus(state, 10 ** 12)).toBe('offline');
    const enabled = stateAfter(['enabled'], state);
    expect(computeWebhookStatus(enabled, 0)).toBe('prod');
    expect(enabled).toMatchObject({ failures: 0, outcomes: [], filled: 18, missed: 2 });
  });

  it('forgets swaps of more than an hour ago, and counts each once', () => {
    const early = stateAfter([...new Array<'filled'>(18).fill('filled'), 'missed'], NEW_WEBHOOK, 0);
    expect(stateAfter(['missed'], early, 61 * MINUTE).off).toBeNull();
    const event = { kind: 'missed', requestId: '0:18' } as const;
    expect(advanceWebhook(early, event, 0, WEBHOOK_CONDUCT).state).toBe(early);
  });

  it('never counts a swap that failed through no fault of the maker', () => {
    const state = stateAfter(new Array<'excused'>(100).fill('excused'));
    expect(computeWebhookStatus(state, 0)).toBe('prod');
    expect(state).toMatchObject({ excused: 100, outcomes: [], failures: 0 });
  });

  it('turns a webhook off that lands what it rejected, and suspends one that is gone', () => {
    expect(computeWebhookStatus(stateAfter(['landed-though-rejected']), 0)).toBe('offline');
    const gone = advanceWebhook(
      NEW_WEBHOOK,
      { kind: 'unreachable', problem: 'it is gone' },
      0,
      WEBHOOK_CONDUCT,
    );
    expect(gone.transition).toEqual({ from: 'prod', to: 'suspended', cause: 'it is gone' });
  });

  it('stays within its bounds whatever happens', () => {
    const kind = fc.constantFrom<WebhookEvent['kind']>(
      'filled',
      'missed',
      'excused',
      'unreachable',
      'enabled',
    );
    assertProperty(
      fc.property(fc.array(fc.tuple(kind, fc.nat(10 * MINUTE)), { maxLength: 300 }), (steps) => {
        let [state, now] = [NEW_WEBHOOK, 0];
        steps.forEach(([each, pause], index) => {
          now += pause;
          const event = { kind: each, requestId: `${index}`, problem: 'gone' } as WebhookEvent;
          state = advanceWebhook(state, event, now, WEBHOOK_CONDUCT).state;
          expect(state.failures).toBeGreaterThanOrEqual(0);
          expect((state.suspendedUntil ?? 0) - now).toBeLessThanOrEqual(30 * MINUTE);
        });
        expect(state.outcomes.length).toBeLessThanOrEqual(1_000);
      }),
      { cases: 100, seed: 20_260_302 },
    );
  });
});

const MINUTE = 60_000;

function stateAfter(events: readonly WebhookEvent['kind'][], from = NEW_WEBHOOK, at = 0): WebhookState {
  return events.reduce((state, kind, index) => {
    const event = { kind, requestId: `${at}:${index}`, problem: 'it is gone' } as WebhookEvent;
    return advanceWebhook(state, event, at, WEBHOOK_CONDUCT).state;
  }, from);
}
