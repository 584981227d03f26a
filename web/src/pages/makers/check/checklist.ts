import type { CheckedSituation, CheckPlan, MakerCheck } from '../source/check-shapes.ts';

/** Whether the streams of a maker are checked or its webhook. */
export type CheckChoice = 'streams' | 'webhook';

/** How many situations of a check are how far. */
export interface CheckProgress {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** Those that are over. */
  readonly done: number;
  readonly total: number;
}

export function countOutcomes(situations: readonly CheckedSituation[]): CheckProgress {
  const count = (outcome: string) => situations.filter((each) => each.outcome === outcome).length;
  const [passed, failed, skipped] = [count('passed'), count('failed'), count('skipped')];
  return { passed, failed, skipped, done: passed + failed + skipped, total: situations.length };
}

/** Returns the list of a kind of check before it runs. */
export function listPlanned(plan: CheckPlan, kind: CheckChoice): readonly CheckedSituation[] {
  return plan[kind].map((listed) => ({ ...listed, outcome: 'planned', detail: null }));
}

/** Returns what became of a check, in a sentence. */
export function describeResult({ running, passed, situations }: MakerCheck): string {
  const { passed: good, failed, skipped, done, total } = countOutcomes(situations);
  if (running) return `The check is under way: ${done} of ${total} situations are over.`;
  const counts = `${good} passed, ${failed} failed, ${skipped} skipped`;
  if (passed) return `The maker passed: ${counts}.`;
  const why =
    failed === 0 ? 'A situation that is skipped could not be tried, so the check is not passed.' : '';
  return `The maker did not pass: ${counts}. ${why}`.trim();
}

/** Returns which part of the documentation helps where a situation failed. */
export function findAdvice(
  situation: string,
  kind: string,
): { readonly page: string; readonly text: string } {
  if (situation.startsWith('refuses'))
    return { page: 'last-look#what-to-check', text: 'What to check before you sign' };
  if (kind === 'webhook')
    return { page: 'makers#requests-and-answers', text: 'The requests and answers of a webhook' };
  return ADVICE.get(situation) ?? { page: 'quickstart/maker#when-a-check-fails', text: 'When a check fails' };
}

const ADVICE: ReadonlyMap<string, { readonly page: string; readonly text: string }> = new Map([
  ['connection', { page: 'makers#connect', text: 'How a maker connects' }],
  ['quotes', { page: 'makers#stream-snapshots', text: 'When a snapshot is accepted' }],
  ['expiry', { page: 'makers#sign-swaps', text: 'The messages of the swap stream' }],
  [
    'reconnect',
    { page: 'makers#sequence-numbers-after-a-crash', text: 'Sequence numbers, and how to come back' },
  ],
  ['back-pressure', { page: 'makers#connect', text: 'What a connection must take' }],
]);
