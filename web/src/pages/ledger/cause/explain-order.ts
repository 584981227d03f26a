import { formatBriefDuration } from '../../../base/format-time.ts';
import { getOrderOutcome } from '../text/order-outcome.ts';
import { explainChainFailure, explainSuccess } from './explain-landed.ts';
import { explainMakerFailure } from './explain-maker.ts';
import { explainUnexecuted } from './explain-unexecuted.ts';
import { isPaidByOther, NOTHING_PAID, type OrderCause, type OrderFacts } from './order-cause.ts';
import { isReason, OBSTACLE_ADVICE, parseObstacle, REFUSAL_TEXTS } from './refusal-texts.ts';

/** The codes of swaps with makers that did not land. */
const MAKER_CODES: ReadonlySet<number> = new Set([-2_000, -2_002, -2_003, -2_004]);
/** Sooner than this no blockhash runs out by itself. */
const SOON_MS = 20_000;
/** An execution takes no longer: its instance ended before it could note the end. */
const EXECUTION_MS = 180_000;

/**
 * Says in one sentence what became of an order and whose doing it was, and beside it who paid what, and what to do.
 *
 * @example
 * ```ts
 * explainOrder(facts).sentence; // 'The maker acme missed its last look: …'
 * ```
 */
export function explainOrder(facts: OrderFacts): OrderCause {
  const { order } = facts;
  switch (getOrderOutcome(order)) {
    case 'never-executed':
      return explainUnexecuted(facts);
    case 'open':
      return explainOpen(facts);
    case 'succeeded':
      return explainSuccess(facts);
    case 'unknown':
      return {
        tone: 'warning',
        sentence:
          'Nobody knows yet whether the swap was made: the network, or another instance, did not say.',
        party: 'network',
        paid: 'Not known yet. The transaction may still land.',
        advice:
          'The taker sends the same request to /execute again, and is told the end. It must not sign another order before.',
      };
    default:
      if (order.execution !== null && order.execution.slot !== null) return explainChainFailure(facts);
      return MAKER_CODES.has(order.execution?.code ?? 0) ? explainMakerFailure(facts) : explainNotSent(facts);
  }
}

function explainOpen({ order, now }: OrderFacts): OrderCause {
  const begunAt = order.execution?.begunAt ?? order.at;
  const age = now - begunAt;
  if (age <= EXECUTION_MS) {
    return {
      tone: 'accent',
      sentence: `The order is being executed, for ${formatBriefDuration(age)} so far.`,
      party: 'nobody',
      paid: 'Not known yet. The transaction may land at any moment.',
      advice: 'This page looks again by itself.',
    };
  }
  return {
    tone: 'warning',
    sentence:
      'The execution began and its end was never noted: the instance that ran it was killed, or lost its database.',
    party: 'sluice',
    paid: 'Not known here. The transactions of the taker’s wallet in the explorer show whether the swap was made.',
    advice: 'The taker may send the same request to /execute again, and is told the end.',
  };
}

/** Explains an order without a maker whose transaction did not land. */
function explainNotSent({ order }: OrderFacts): OrderCause {
  const { code = null, reason = null } = order.execution ?? {};
  const failed = (party: OrderCause['party'], sentence: string, advice: string): OrderCause => ({
    tone: 'danger',
    sentence,
    party,
    paid: NOTHING_PAID,
    advice,
  });
  if (isReason(reason, 'sponsor')) {
    const why = (reason ?? '').slice(REFUSAL_TEXTS.sponsor.length);
    return failed(
      'sponsor',
      `The sponsor did not sign, so nothing was sent: ${why}.`,
      'Look at the balance of the sponsor’s wallet and at its budget. The taker may send the same request again.',
    );
  }
  if (isReason(reason, 'tooExpensive')) {
    return failed(
      'market',
      'The swap would have cost its payer more than the order stated, so nothing was sent.',
      'Ask for a new order: it states what the swap costs now.',
    );
  }
  switch (code) {
    case -1_000:
      return failed(
        'network',
        'The signed transaction was sent, and the network did not take it into a block before its blockhash ran out.',
        'Ask for a new order. If that happens often, look at the network and at the nodes that transactions are sent to; a higher priority fee helps when blocks are full.',
      );
    case -1_004:
      if (order.execution !== null && order.execution.begunAt - order.at < SOON_MS) {
        const age = formatBriefDuration(order.execution.begunAt - order.at);
        return failed(
          'network',
          `The blockhash of the order had run out when it came back ${age} after it was given out, so nothing was sent. The taker was not late: the network moved on faster than time, as when its clock is moved.`,
          'Ask for a new order.',
        );
      }
      return failed(
        'taker',
        'The taker sent the order back too late: its blockhash had run out, so nothing was sent.',
        'Ask for a new order, and sign and send it within a minute.',
      );
    case -1_002: {
      const obstacle = parseObstacle(reason ?? '', isPaidByOther(order));
      return failed(
        obstacle.party,
        `The network refused the transaction before it landed: ${obstacle.what}.`,
        OBSTACLE_ADVICE[obstacle.advice],
      );
    }
    default:
      return failed(
        'unclear',
        `The order was not executed: it ended with code ${code}.`,
        'Read the code in the list of errors.',
      );
  }
}
