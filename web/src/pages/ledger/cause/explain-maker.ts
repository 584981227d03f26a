import { formatBriefDuration } from '../../../base/format-time.ts';
import { isPaidByOther, NOTHING_PAID, type OrderCause, type OrderFacts } from './order-cause.ts';
import { isReason, OBSTACLE_ADVICE, parseObstacle, REFUSAL_TEXTS } from './refusal-texts.ts';

const NEW_ORDER = 'Ask for a new order: another maker or the pools may take it.';

/** Explains an order that ended with a code for swaps with makers, and whose transaction did not land. */
export function explainMakerFailure(facts: OrderFacts): OrderCause {
  const { order } = facts;
  const execution = order.execution;
  const maker = order.maker === null ? 'the maker' : `the maker ${order.maker}`;
  const name = maker.replace(/^t/, 'T');
  switch (execution?.code) {
    case -2_003:
      return explainExpired(facts, name);
    case -2_004:
      return explainRejected(facts, name);
    case -2_000:
      return explainNotLanded(facts, name);
    default: {
      const obstacle = parseObstacle(execution?.reason ?? '', isPaidByOther(order));
      return refused(
        obstacle.party,
        `The network refused the transaction with ${maker}: ${obstacle.what}.`,
        OBSTACLE_ADVICE[obstacle.advice],
      );
    }
  }
}

function explainExpired({ order, fill }: OrderFacts, name: string): OrderCause {
  const reason = order.execution?.reason ?? null;
  if (isReason(reason, 'interrupted')) {
    return refused(
      'sluice',
      `${name} had the swap before it when this instance of Sluice stopped, and no signature came in time.`,
      `${NEW_ORDER} The maker is not to blame.`,
    );
  }
  if (fill?.offeredAt != null) {
    const waited =
      fill.endedAt === null ? '' : ` within ${formatBriefDuration(fill.endedAt - fill.offeredAt)}`;
    return refused(
      'maker',
      `${name} missed its last look: it was offered the swap and did not sign it${waited}.`,
      `${NEW_ORDER} It counts against the fill rate of the maker, whose page shows how often that happens.`,
    );
  }
  if (isReason(reason, 'tooLate')) {
    return refused(
      'taker',
      'The taker sent the order back too late: the quote of the maker had expired, and the maker was not asked.',
      'Ask for a new order, and sign and send it within half a minute.',
    );
  }
  return refused(
    'maker',
    `${name} no longer quoted the pair when the order came back signed, and was not asked.`,
    NEW_ORDER,
  );
}

function explainRejected({ order, fill }: OrderFacts, name: string): OrderCause {
  const reason = order.execution?.reason ?? '';
  if (fill?.state === 'rejected' && !isReason(reason, 'rejected')) {
    return refused(
      'maker',
      `${name} returned another transaction than it was offered, so Sluice sent nothing.`,
      `${NEW_ORDER} The maker is offline until the operator reinstates it; both messages are recorded.`,
    );
  }
  if (isReason(reason, 'rejected')) {
    const said = reason.slice(REFUSAL_TEXTS.rejected.length).replace(/^: /, '');
    return refused(
      'maker',
      `${name} rejected the swap at its last look${said === '' ? '' : `, saying “${said}”`}.`,
      NEW_ORDER,
    );
  }
  if (isReason(reason, 'unconnected')) {
    return refused('maker', `${name} was not connected when the order came back signed.`, NEW_ORDER);
  }
  if (isReason(reason, 'wouldFail') || /atoms of .* which holds/.test(reason)) {
    const obstacle = parseObstacle(reason, isPaidByOther(order));
    return refused(
      obstacle.party,
      fill?.offeredAt == null
        ? `The swap would have failed when the order came back signed: ${obstacle.what}. The maker was not asked.`
        : `The swap would have failed: ${obstacle.what}. It does not count against the maker.`,
      OBSTACLE_ADVICE[obstacle.advice],
    );
  }
  if (reason.startsWith(OVERBOOKED)) {
    return refused(
      'market',
      `${name} did not sign: it had signed other swaps for the same inventory, whose takers could no longer pay.`,
      `${NEW_ORDER} It does not count against the maker.`,
    );
  }
  if (isReason(reason, 'removed')) {
    return refused('sluice', `The operator of this instance removed ${name.replace(/^T/, 't')}.`, NEW_ORDER);
  }
  if (fill?.offeredAt != null) {
    return refused(
      'unclear',
      `${name} had the swap before it and did not sign it, and it is not known whether the swap could have succeeded.`,
      `${NEW_ORDER} It does not count against the maker.`,
    );
  }
  return refused(
    'maker',
    `${name} could not take the swap any more when the order came back signed.`,
    NEW_ORDER,
  );
}

/** The beginning of the reason of a fill that its maker need not have signed. */
const OVERBOOKED = 'the maker did not sign, and had signed other swaps for the same inventory';
/** The words of a reason that say that the maker is not to blame for certain. What a maker answered stands behind them. */
const UNCOUNTED =
  /^the maker did not land the swap by \d+, when it expired, which is not counted against it(?:;|$)/;

function explainNotLanded({ order, fill }: OrderFacts, name: string): OrderCause {
  const reason = order.execution?.reason ?? null;
  if (isReason(reason, 'unrecorded') || isReason(reason, 'interrupted')) {
    return refused(
      'sluice',
      'This instance of Sluice could not record the swap, and did not send it.',
      'Look at the health of the database, then ask for a new order.',
    );
  }
  if (isReason(reason, 'webhookMissed') && UNCOUNTED.test(reason ?? '')) {
    return refused(
      'unclear',
      `${name} had the signed order and did not land it before it expired, and the swap may have been impossible meanwhile, as when the taker moves what it takes.`,
      `${NEW_ORDER} It does not count against the fill rate of the maker.`,
    );
  }
  if (isReason(reason, 'webhookMissed') || fill?.answer === 'unanswered') {
    return refused(
      'maker',
      `${name} had the signed order and did not land it before it expired.`,
      `${NEW_ORDER} It counts against the fill rate of the maker.`,
    );
  }
  return refused(
    'network',
    'The signed transaction was sent, and the network did not take it into a block before its blockhash ran out.',
    'Ask for a new order. If that happens often, look at the network and at the nodes that transactions are sent to.',
  );
}

function refused(party: OrderCause['party'], sentence: string, advice: string): OrderCause {
  return { tone: 'danger', sentence, party, paid: NOTHING_PAID, advice };
}
