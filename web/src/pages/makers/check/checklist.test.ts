import { describe, expect, it } from 'vitest';
import { countOutcomes, describeResult, findAdvice, listPlanned } from './checklist.ts';

describe('describeResult', () => {
  it('counts what is over while the check runs', () => {
    expect(describeResult(check(true, false, 'passed', 'running', 'waiting'))).toBe(
      'The check is under way: 1 of 3 situations are over.',
    );
  });

  it('says how it ended, and why a check without a failure is not passed', () => {
    expect(describeResult(check(false, true, 'passed', 'passed'))).toBe(
      'The maker passed: 2 passed, 0 failed, 0 skipped.',
    );
    expect(describeResult(check(false, false, 'passed', 'failed'))).toBe(
      'The maker did not pass: 1 passed, 1 failed, 0 skipped.',
    );
    expect(describeResult(check(false, false, 'passed', 'skipped'))).toMatch(/could not be tried/);
  });
});

describe('listPlanned', () => {
  it('lists the situations of a kind, none of which has an outcome', () => {
    const plan = { running: null, checked: [], streams: [SITUATION], webhook: [] };
    expect(listPlanned(plan, 'streams')).toEqual([{ ...SITUATION, outcome: 'planned', detail: null }]);
    expect(countOutcomes(listPlanned(plan, 'streams'))).toMatchObject({ done: 0, total: 1 });
    expect(listPlanned(plan, 'webhook')).toEqual([]);
  });
});

describe('findAdvice', () => {
  it('leads to a page for every situation, also for one of a newer version', () => {
    expect(findAdvice('refuses a better price', 'webhook').page).toBe('last-look#what-to-check');
    expect(findAdvice('quotes', 'streams').page).toBe('makers#stream-snapshots');
    expect(findAdvice('key', 'webhook').page).toBe('makers#requests-and-answers');
    expect(findAdvice('something new', 'streams').page).toBe('quickstart/maker#when-a-check-fails');
  });
});

const SITUATION = { situation: 'quotes', meaning: 'Its snapshots are accepted.' };

function check(running: boolean, passed: boolean, ...outcomes: readonly string[]) {
  const situations = outcomes.map((outcome) => ({ ...SITUATION, outcome, detail: null }));
  return { maker: 'acme', running, passed, kind: 'streams', startedAt: 0, endedAt: null, situations };
}
