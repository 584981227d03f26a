import { describe, expect, it } from 'vitest';
import type { RulePreview } from '../source/firewall-shapes.ts';
import {
  describeConsidered,
  describePreview,
  formatSpan,
  isDangerous,
  listWarnings,
} from './preview-text.ts';

describe('describeConsidered', () => {
  it('speaks of the day only where all of its requests were looked at', () => {
    expect(describeConsidered({ considered: 1, isCut: false, oldest: 5 })).toBe(
      'the 1 request of the last 24 hours',
    );
    expect(describeConsidered({ considered: 5_000, isCut: true, oldest: 1_795_984_831_500 })).toBe(
      'the newest 5\u202f000 requests (since 2026-11-29 20:40:31 UTC)',
    );
  });
});

describe('describePreview', () => {
  it.each([
    ['deny', 'Of 1\u202f500 requests, it would have stopped 2 to 5 that passed.'],
    ['log', 'It would have recorded 4 requests of 1\u202f500, and changed nothing.'],
    [
      'bypass',
      'It matches 4 requests of 1\u202f500, and would have let 0 through that the firewall stopped.',
    ],
  ] as const)('says what a rule with the action %s would have done', (action, text) => {
    const stopped = { requests: 2, byRule: 2, mayBeByRule: 3, byLimit: 0 };
    expect(describePreview(makePreview({ considered: 1_500, stopped }), action)).toBe(text);
  });
});

describe('formatSpan', () => {
  it('writes a range only where something is open', () => {
    expect([formatSpan(3, 0), formatSpan(3, 9)]).toEqual(['3', '3 to 12']);
  });
});

describe('isDangerous', () => {
  const stopsAll = makePreview({
    stopped: { requests: 7, byRule: 7, mayBeByRule: 0, byLimit: 0 },
    stillStopped: 3,
  });

  it('asks before every request of the team is stopped, and not for a rule that only records', () => {
    expect(isDangerous(stopsAll, 'deny')).toBe(true);
    expect(isDangerous(stopsAll, 'rate-limit')).toBe(true);
    expect(isDangerous(stopsAll, 'log')).toBe(false);
    expect(isDangerous(makePreview({ ...stopsAll, stillStopped: 2 }), 'deny')).toBe(false);
  });

  it('asks before requests of the reader are stopped by the rule', () => {
    const own = { client: '203.0.113.7', considered: 3, stopped: 2 };
    const stopped = { requests: 2, byRule: 2, mayBeByRule: 0, byLimit: 0 };
    expect(isDangerous(makePreview({ own, stopped }), 'deny')).toBe(true);
    expect(isDangerous(makePreview({ own }), 'deny')).toBe(false);
  });
});

describe('listWarnings', () => {
  it('says nothing of a rule that does what it says', () => {
    expect(listWarnings(makePreview({}), 'deny')).toEqual([]);
  });

  it('says which rules cannot be judged, what they look at, and that older requests were left out', () => {
    const unknown = {
      requests: 1,
      reasons: [
        { reason: 'header', requests: 1 },
        { reason: 'limit', requests: 1 },
      ],
      rules: ['', 'only app'],
    };
    expect(listWarnings(makePreview({ unknown, isCut: true }), 'deny').map(({ text }) => text)).toEqual([
      '1 request cannot be judged: this rule and the rule “only app” look at a header that the log does not keep, or not as a whole.',
      'These are the newest requests; older ones of this time were not looked at.',
    ]);
  });
});

/** A preview of ten requests of which the tried rule matches four, and decides them. */
function makePreview(changed: Partial<RulePreview>): RulePreview {
  return {
    since: 0,
    until: 1,
    considered: 10,
    oldest: 0,
    isCut: false,
    refusedBefore: 0,
    stopped: { requests: 0, byRule: 0, mayBeByRule: 0, byLimit: 0 },
    letThrough: 0,
    stillStopped: 0,
    unchanged: 10,
    unknown: { requests: 0, reasons: [], rules: [] },
    limitsOpenUntil: null,
    own: { client: '127.0.0.1', considered: 0, stopped: 0 },
    rules: [{ name: 'tried', isTried: true, matched: 4, mayMatch: 0, decided: 4, mayDecide: 0, stopped: 0 }],
    top: { paths: [], keys: [], clients: [] },
    samples: [],
    ...changed,
  };
}
