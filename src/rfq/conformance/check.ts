import { fill } from './fill-check.ts';
import type { FillOffer } from './fill-offer.ts';
import { NOTHING_OFFERED, offerNow } from './offering.ts';
import type { CheckParts, Subject } from './parts.ts';
import { refusals } from './refusal-check.ts';
import { type Finding, REFUSALS, type Situation, SITUATIONS, skipped, type Verdict } from './report.ts';
import { backPressure, expiry, reconnect } from './stream-checks.ts';
import { connection, quotes } from './streaming.ts';

/** Puts the maker through every situation; each is told of as soon as it is over. */
export async function runCheck(
  parts: CheckParts,
  subject: Subject,
  tell: (finding: Finding) => void,
): Promise<void> {
  const { makerId } = subject;
  const told = new Set<Situation>();
  const add = (situation: Situation, verdict: Verdict): Verdict => {
    told.add(situation);
    tell({ situation, ...verdict });
    return verdict;
  };
  const skipRest = (why: string) => {
    for (const situation of SITUATIONS) if (!told.has(situation)) add(situation, skipped(why));
  };
  /** A maker that lost its connection on the way is not tried further. */
  const isThere = () => connection(parts, makerId).outcome === 'passed';
  if (add('connection', connection(parts, makerId)).outcome === 'failed') {
    return skipRest('the maker is not connected');
  }
  const quoted = add('quotes', await quotes(parts, makerId));
  if (quoted.outcome === 'failed' && offerNow(parts, subject) === null) {
    return skipRest(NOTHING_OFFERED);
  }
  const filled = add('fill', await fill(parts, subject));
  const withOffer = async (situation: Situation, work: (offer: FillOffer) => Promise<Verdict>) => {
    const offer = offerNow(parts, subject);
    if (!isThere()) add(situation, skipped('the maker is not connected any more'));
    else if (offer === null) add(situation, skipped(NOTHING_OFFERED));
    else add(situation, await work(offer));
  };
  const offer = isThere() ? offerNow(parts, subject) : null;
  if (offer === null) for (const situation of REFUSALS) add(situation, skipped(NOTHING_OFFERED));
  else for (const { situation, ...verdict } of await refusals(parts, subject, offer)) add(situation, verdict);
  const sound = { signs: filled.outcome !== 'failed', quotes: quoted.outcome === 'passed' };
  await withOffer('expiry', (fresh) => expiry(parts, subject, fresh, sound));
  await withOffer('reconnect', (fresh) => reconnect(parts, subject, fresh, sound));
  if (isThere()) add('back-pressure', await backPressure(parts, subject));
  skipRest('the maker is not connected any more');
}
