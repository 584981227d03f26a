import { describe, expect, it } from 'vitest';
import type { SignatureStatus } from '../../chain/chain.ts';
import { OpenSubmission, type SubmissionPolicy } from './open-submission.ts';
import type { SendResult } from './send-once.ts';

describe('OpenSubmission', () => {
  it('is due every two seconds while a block can contain the transaction', () => {
    const submission = open();
    expect(submission.isDue(START - 1, LAST_HEIGHT)).toBe(false);
    expect(submission.isDue(START, LAST_HEIGHT)).toBe(true);
    submission.noteSending(START);
    expect(submission.isDue(START + 1_999, LAST_HEIGHT)).toBe(false);
    expect(submission.isDue(START + 2_000, LAST_HEIGHT)).toBe(true);
    expect(submission.isDue(START + 2_000, LAST_HEIGHT + 1n)).toBe(false);
  });

  it('is given up when the time of its policy is over', () => {
    expect([open().isGivenUp(START + 9_999), open().isGivenUp(START + 10_000)]).toEqual([false, true]);
  });

  it('is denied by three answers in a row', () => {
    const submission = open();
    const series = [
      'denied',
      'denied',
      null,
      'denied',
      SEEN,
      'denied',
      'unanswered',
      'denied',
      'denied',
    ] as const;
    for (const found of series) expect(submission.noteLookup(found, START)).toBe(false);
    expect(submission.noteLookup('denied', START)).toBe(true);
  });

  it('puts off sending while a block shows it only where its policy says so', () => {
    for (const pausesWhileSeen of [false, true]) {
      const submission = open({ pausesWhileSeen });
      submission.noteLookup(SEEN, START);
      expect(submission.isDue(START, LAST_HEIGHT)).toBe(!pausesWhileSeen);
      expect(submission.isDue(START + 2_000, LAST_HEIGHT)).toBe(true);
    }
  });

  it('ends by three refusals, or by one that is final', () => {
    const absent = (isOut = false) => {
      const submission = open({}, isOut);
      submission.noteLookup(null, START);
      return submission;
    };
    expect(countRefusals(absent(), [refused()])).toBe(3);
    expect(countRefusals(absent(), [refused(true)])).toBe(1);
    expect(countRefusals(absent(), [refused(), refused(true)])).toBe(1);
    expect(countRefusals(absent(), [])).toBeNull();
    expect(countRefusals(absent(true), [refused(true)])).toBeNull();
  });

  it('does not end by refusals once a node may have forwarded it', () => {
    for (const kind of ['accepted', 'unavailable'] as const) {
      const submission = open();
      submission.noteLookup(null, START);
      submission.noteAnswers([{ kind }, refused(true)], START);
      expect(countRefusals(submission, [refused(true)])).toBeNull();
    }
    const accepted = open({ refusalNeedsAbsence: false });
    accepted.noteAccepted();
    expect(countRefusals(accepted, [refused(true)])).toBeNull();
  });

  it('does not count a round in which a node did not answer, if that is not its policy for being out', () => {
    const submission = open({ outAfter: ['accepted'], refusalNeedsAbsence: false });
    expect(countRefusals(submission, [refused(true), { kind: 'unavailable' }])).toBeNull();
    expect(countRefusals(submission, [refused(true), refused()])).toBe(1);
  });

  it('ends by a refusal while a block shows it, or nobody says whether one does, only where its policy says so', () => {
    for (const found of [SEEN, 'unanswered', 'denied'] as const) {
      for (const refusalNeedsAbsence of [true, false]) {
        const submission = open({ refusalNeedsAbsence });
        submission.noteLookup(found, START);
        expect(countRefusals(submission, [refused(true)])).toBe(refusalNeedsAbsence ? null : 1);
      }
    }
  });

  it('is sent again after a refusal as its policy says', () => {
    for (const refusedAgainMs of [400, null]) {
      const submission = open({ refusedAgainMs });
      submission.noteLookup(null, START);
      submission.noteSending(START);
      submission.noteAnswers([refused()], START + 100);
      const at = START + (refusedAgainMs === null ? 2_000 : 500);
      expect([submission.isDue(at - 1, LAST_HEIGHT), submission.isDue(at, LAST_HEIGHT)]).toEqual([
        false,
        true,
      ]);
    }
  });
});

const POLICY: SubmissionPolicy = {
  maxMs: 10_000,
  refusedAgainMs: 400,
  pausesWhileSeen: false,
  outAfter: ['accepted', 'unavailable'],
  refusalNeedsAbsence: true,
};
const START = 1_000;
const LAST_HEIGHT = 50n;
const SEEN = { slot: 7n, commitment: 'processed', error: null } as SignatureStatus;

function open(policy: Partial<SubmissionPolicy> = {}, isOut = false): OpenSubmission {
  return new OpenSubmission(
    { ...POLICY, ...policy },
    { lastHeight: LAST_HEIGHT, startedAt: START, sendAt: START, isOut },
  );
}

function refused(isFinal = false): SendResult {
  return { kind: 'rejected', isFinal, error: 'no', message: 'no', logs: [] };
}

/** Returns the number of refusals in a row until one ends it; null if three do not. */
function countRefusals(submission: OpenSubmission, answers: readonly SendResult[]): number | null {
  for (let count = 1; count <= 3; count++) {
    if (submission.noteAnswers(answers, START) !== null) return count;
  }
  return null;
}
