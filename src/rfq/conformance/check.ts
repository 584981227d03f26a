import { fill } from './fill-check.ts';
import type { FillOffer } from './fill-offer.ts';
import { NOTHING_OFFERED, offerNow } from './offering.ts';
import type { CheckDependencies, Subject } from './trials/check-dependencies.ts';
import { refusals } from './refusal-check.ts';
import {
  type Finding,
  REFUSALS,
  type Situation,
  SITUATIONS,
  skipped,
  type Verdict,
} from './trials/report.ts';
import { backPressure, expiry, reconnect } from './stream-checks.ts';
import { connection, quotes } from './streaming.ts';

/**
 * Runs the check: puts the maker through every situation, and reports each finding as soon as it is known.
 * @param report - Called once for each situation, in the order of `SITUATIONS`.
 */
export async function runCheck(
  dependencies: CheckDependencies,
  subject: Subject,
  report: (finding: Finding) => void,
): Promise<void> {
  const { makerId } = subject;
  const done = new Set<Situation>();
  const add = (situation: Situation, verdict: Verdict): Verdict => {
    done.add(situation);
    report({ situation, ...verdict });
    return verdict;
  };
  const skipRest = (why: string) => {
    for (const situation of SITUATIONS) if (!done.has(situation)) add(situation, skipped(why));
  };
  /** A maker that lost its connection during the check is not tried further. */
  const isThere = () => connection(dependencies, makerId).outcome === 'passed';
  if (add('connection', connection(dependencies, makerId)).outcome === 'failed') {
    return skipRest('the maker is not connected');
  }
  const quoted = add('quotes', await quotes(dependencies, makerId));
  if (quoted.outcome === 'failed' && offerNow(dependencies, subject) === null) {
    return skipRest(NOTHING_OFFERED);
  }
  const filled = add('fill', await fill(dependencies, subject));
  const withOffer = async (situation: Situation, work: (offer: FillOffer) => Promise<Verdict>) => {
    const offer = offerNow(dependencies, subject);
    if (!isThere()) add(situation, skipped('the maker is not connected any more'));
    else if (offer === null) add(situation, skipped(NOTHING_OFFERED));
    else add(situation, await work(offer));
  };
  const offer = isThere() ? offerNow(dependencies, subject) : null;
  if (offer === null) for (const situation of REFUSALS) add(situation, skipped(NOTHING_OFFERED));
  else
    for (const { situation, ...verdict } of await refusals(dependencies, subject, offer))
      add(situation, verdict);
  const sound = { signs: filled.outcome !== 'failed', quotes: quoted.outcome === 'passed' };
  await withOffer('expiry', (fresh) => expiry(dependencies, subject, fresh, sound));
  await withOffer('reconnect', (fresh) => reconnect(dependencies, subject, fresh, sound));
  if (isThere()) add('back-pressure', await backPressure(dependencies, subject));
  skipRest('the maker is not connected any more');
}
