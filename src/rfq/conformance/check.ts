import { checkFill } from './fill-check.ts';
import type { FillOffer } from './fill-offer.ts';
import { NOTHING_OFFERED, findCurrentOffer } from './offering.ts';
import type { CheckDependencies, CheckSubject } from './trials/check-dependencies.ts';
import { checkRefusals } from './refusal-check.ts';
import {
  type Finding,
  REFUSAL_SITUATIONS,
  type Situation,
  SITUATIONS,
  reportSkipped,
  type CheckVerdict,
} from './trials/report.ts';
import { checkBackPressure, checkUnexecutedSwap, checkReconnect } from './stream-checks.ts';
import { checkConnection, checkStreamedQuotes } from './streaming.ts';

/**
 * Runs the check: puts the maker through every situation, and reports each finding as soon as it is known.
 * @param report - Called once for each situation, in the order of `SITUATIONS`.
 */
export async function runCheck(
  dependencies: CheckDependencies,
  subject: CheckSubject,
  report: (finding: Finding) => void,
): Promise<void> {
  const { makerId } = subject;
  const done = new Set<Situation>();
  const add = (situation: Situation, verdict: CheckVerdict): CheckVerdict => {
    done.add(situation);
    report({ situation, ...verdict });
    return verdict;
  };
  const skipRest = (why: string) => {
    for (const situation of SITUATIONS) if (!done.has(situation)) add(situation, reportSkipped(why));
  };
  /** A maker that lost its connection during the check is not tried further. */
  const isThere = () => checkConnection(dependencies, makerId).outcome === 'passed';
  if (add('connection', checkConnection(dependencies, makerId)).outcome === 'failed') {
    return skipRest('the maker is not connected');
  }
  const quoted = add('quotes', await checkStreamedQuotes(dependencies, makerId));
  if (quoted.outcome === 'failed' && findCurrentOffer(dependencies, subject) === null) {
    return skipRest(NOTHING_OFFERED);
  }
  const filled = add('fill', await checkFill(dependencies, subject));
  const withOffer = async (situation: Situation, work: (offer: FillOffer) => Promise<CheckVerdict>) => {
    const offer = findCurrentOffer(dependencies, subject);
    if (!isThere()) add(situation, reportSkipped('the maker is not connected any more'));
    else if (offer === null) add(situation, reportSkipped(NOTHING_OFFERED));
    else add(situation, await work(offer));
  };
  const offer = isThere() ? findCurrentOffer(dependencies, subject) : null;
  if (offer === null)
    for (const situation of REFUSAL_SITUATIONS) add(situation, reportSkipped(NOTHING_OFFERED));
  else
    for (const { situation, ...verdict } of await checkRefusals(dependencies, subject, offer))
      add(situation, verdict);
  const sound = { signs: filled.outcome !== 'failed', quotes: quoted.outcome === 'passed' };
  await withOffer('expiry', (fresh) => checkUnexecutedSwap(dependencies, subject, fresh, sound));
  await withOffer('reconnect', (fresh) => checkReconnect(dependencies, subject, fresh, sound));
  if (isThere()) add('back-pressure', await checkBackPressure(dependencies, subject));
  skipRest('the maker is not connected any more');
}
