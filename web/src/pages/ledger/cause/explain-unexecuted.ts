import { formatBriefDuration } from '../../../base/format-time.ts';
import type { OrderRequestEntry } from '../source/ledger-shapes.ts';
import { NOTHING_PAID, type OrderCause, type OrderFacts } from './order-cause.ts';

/** Somewhat longer than a blockhash lives. After it, nobody can execute an order. */
const LIFETIME_MS = 120_000;

/** Why a request to execute was refused before anything was done, by its code, as the end of a sentence. */
const REFUSED: ReadonlyMap<number, readonly [what: string, advice: string]> = new Map([
  [
    -1,
    [
      'the instance that was asked did not know the order, or had forgotten it',
      'Ask for a new order, and send it to the instance that gave it out.',
    ],
  ],
  [
    -2,
    [
      'what it sent was no signed transaction of the order: no transaction at all, one that is too long, or a signature in it was wrong',
      'Sign the transaction of the order with the wallet of the taker, and send what the wallet returns.',
    ],
  ],
  [
    -3,
    [
      'the transaction in it was not that of the order: something changed it before it was signed',
      'Sign the order unchanged. Some wallets add instructions or a priority fee: switch that off.',
    ],
  ],
  [-4, ['it did not name the order', 'Send the requestId of the order.']],
  [-5, ['it had no signed transaction', 'Send the signed transaction of the order.']],
  [
    -1_003,
    [
      'a signature was missing in it',
      'Sign with every wallet that the order names, and send the same order again.',
    ],
  ],
  [
    -1_004,
    [
      'its last block height was not that of the order',
      'Send the lastValidBlockHeight of the order, or leave it out.',
    ],
  ],
]);

/** Explains an order that nobody has executed. */
export function explainUnexecuted({ order, requests, now }: OrderFacts): OrderCause {
  const age = now - order.at;
  const refused = requests?.find(isRefusedExecution);
  const isOver = age > LIFETIME_MS;
  if (refused !== undefined) {
    const [what, advice] = REFUSED.get(refused.order?.code ?? 0) ?? [
      `it was answered with code ${refused.order?.code}`,
      'Read the code in the list of errors.',
    ];
    return {
      tone: 'danger',
      sentence: `The taker’s request to execute the order was refused, because ${what}.`,
      party: 'taker',
      paid: NOTHING_PAID,
      advice: isOver ? `${advice} This order has run out: ask for a new one.` : advice,
    };
  }
  if (!isOver) {
    return {
      tone: 'accent',
      sentence: `The order was given out ${formatBriefDuration(age)} ago, and the taker has not sent it back signed yet.`,
      party: 'nobody',
      paid: NOTHING_PAID,
      advice:
        'It can be executed for a minute or two after it was given out. This page looks again by itself.',
    };
  }
  return {
    tone: 'warning',
    sentence: 'The order was never executed: the taker did not send it back signed, and it has run out.',
    party: 'taker',
    paid: `${NOTHING_PAID} Unless the taker landed it by itself: its wallet’s transactions in the explorer show that.`,
    advice:
      'Most orders end so: prices are compared, and a signature is declined. If the taker meant to swap, its app did not send the signed transaction to /execute.',
  };
}

/** Whether a request to execute was refused before the ledger notes anything of it. */
function isRefusedExecution({ method, order }: OrderRequestEntry): boolean {
  return method === 'POST' && order !== null && order.code !== null && REFUSED.has(order.code);
}
