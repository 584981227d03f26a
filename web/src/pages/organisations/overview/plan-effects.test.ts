import { describe, expect, it } from 'vitest';
import type { PlanLine } from '../../../api/organisations/organisation-shapes.ts';
import { listPlanEffects } from './plan-effects.ts';

const SMALL = planWith(60, 1_000);
const LARGE = planWith(600, null);

describe('listPlanEffects', () => {
  it('says what becomes more, and from when', () => {
    expect(listPlanEffects(SMALL, LARGE, { used: 5_000 })).toEqual([
      'Requests in any 60 seconds: 600 instead of 60.',
      'This holds from the next request on.',
      'Credits of the whole month: unlimited instead of 1\u202f000 included. The plan at the end of a month counts for all of it.',
    ]);
  });

  it('says what a smaller plan refuses, and what would be overage', () => {
    const effects = listPlanEffects(LARGE, SMALL, { used: 1_234 });
    expect(effects[1]).toContain('is refused until fewer count');
    expect(effects.at(-1)).toBe('With the 1\u202f234 credits used so far, 234 would be overage.');
    expect(listPlanEffects(LARGE, SMALL, null).at(-1)).not.toContain('overage');
  });
});

function planWith(main: number, includedCredits: number | null): PlanLine {
  const limits = { main, execute: 10, submit: 10 };
  return { name: `plan-${main}`, ...limits, usual: limits, changed: false, includedCredits };
}
