import { describe, expect, it } from 'vitest';
import { ManualTimers } from '../../testing/timers.ts';
import { StreamRate } from './stream-rate.ts';

describe('StreamRate', () => {
  it('admits a maker again a minute later, also if the clock was set back meanwhile', () => {
    const timers = new ManualTimers();
    const rate = new StreamRate(timers, 'quote');
    for (let count = 0; count < MAX; count++) expect(rate.refusal('maker')).toBeNull();
    expect(rate.refusal('maker')).toMatch(/^more than 60 quote streams within 60 s/);
    timers.advance(-2 * 3_600_000);
    for (let count = 0; count < MAX; count++) expect(rate.refusal('maker')).toBeNull();
    expect(rate.refusal('maker')).toMatch(/^more than 60 quote streams within 60 s/);
    timers.advance(60_000);
    expect(rate.refusal('maker')).toBeNull();
  });
});

const MAX = 60;
