import { describe, expect, it } from 'vitest';
import { LeapingTimers } from '../testing/timers.ts';
import { yieldToOtherWork } from '../testing/waits.ts';
import { getCurrentWorker, type Party, toPartyKey, getShareHolder, runAs } from './party.ts';

describe('the party that work is done for', () => {
  it('stays the same in everything that is awaited, beside the work of others', async () => {
    const seen = await Promise.all(
      [ACME, CLIENT].map((party) =>
        runAs(party, async () => {
          await yieldToOtherWork();
          return getCurrentWorker();
        }),
      ),
    );
    expect(seen).toEqual([ACME, CLIENT]);
    expect(getCurrentWorker()).toBe('own');
  });

  it('is nobody in what a timer calls, which may go on when the request is long over', async () => {
    const timers = new LeapingTimers();
    const seen = await runAs(
      ACME,
      () =>
        new Promise((resolve) =>
          timers.after(0, () =>
            // A loop that a request has started goes on with the next timer.
            timers.after(0, () => resolve(getCurrentWorker())),
          ),
        ),
    );
    expect(seen).toBe('own');
  });

  it('has one share as an organisation, and one together with all others without a key', () => {
    expect([ACME, CLIENT].map(toPartyKey)).toEqual(['organisation:acme', 'client:203.0.113.7']);
    expect([ACME, CLIENT, { ...CLIENT, id: '203.0.113.8' }, 'own' as const].map(getShareHolder)).toEqual([
      'organisation:acme',
      'keyless',
      'keyless',
      'own',
    ]);
  });
});

const ACME: Party = { kind: 'organisation', id: 'acme' };
const CLIENT: Party = { kind: 'client', id: '203.0.113.7' };
