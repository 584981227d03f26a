import type { Static } from 'typebox';
import { renderTable } from '../../../config/render.ts';
import {
  WaitingOrderAnswer,
  type WaitingOrderLine,
  WaitingOrdersAnswer,
} from '../../../gateway/admin/waiting/waiting-schema.ts';
import { ORDER_STATES, WAIT_REASONS } from '../../../waiting-orders/waiting-order.ts';
import { ADMIN_SETTINGS, callAdmin } from '../../admin-client/admin-call.ts';
import { checkAnswer, formatTimeOrNever, parseChoiceFlag } from '../../admin-client/platform-answers.ts';
import type { Command, CommandFlag } from '../../command-line/command.ts';
import { PAGE_FLAGS, writeNextPage } from './page-flags.ts';

/** Each is also a query parameter, except `reason`. */
const LIST_FLAGS: readonly CommandFlag[] = [
  { name: 'wallet', allowed: 'an address', description: 'Only orders of this wallet.' },
  { name: 'mint', allowed: 'an address', description: 'Only orders that sell or buy this token.' },
  {
    name: 'state',
    allowed: `one of ${ORDER_STATES.join(', ')}`,
    description: 'Default: all in which the order may have money.',
  },
  {
    name: 'reason',
    allowed: `one of ${WAIT_REASONS.join(', ')}`,
    description: 'Only orders whose price is reached and that are not filled for this reason.',
  },
  ...PAGE_FLAGS,
];

export const WAITING_ORDER_COMMANDS: readonly Command[] = [
  {
    name: 'order waiting',
    summary: 'List the orders that wait for their price, newest first, and why each is not filled.',
    words: [],
    settings: ADMIN_SETTINGS,
    flags: LIST_FLAGS,
    run: async ({ config, flags, write, writeError }) => {
      const path = `waiting-orders?${toListQuery(flags)}`;
      const answer = checkAnswer(WaitingOrdersAnswer, await callAdmin(config, { method: 'GET', path }));
      write(renderTable([COLUMNS, ...answer.orders.map(toRow)]));
      writeNextPage(answer.next, writeError);
      return 0;
    },
  },
];

/**
 * Returns the query of a list. The two flags whose values are names are checked here, because the instance would refuse `reason` by
 * the name of its own parameter.
 *
 * @throws UsageError when a value is none of the names.
 */
function toListQuery(flags: ReadonlyMap<string, string>): URLSearchParams {
  const query = new URLSearchParams();
  for (const [name, value] of flags) {
    if (name === 'reason') query.set('waitsFor', parseChoiceFlag(name, value, WAIT_REASONS));
    else query.set(name, name === 'state' ? parseChoiceFlag(name, value, ORDER_STATES) : value);
  }
  return query;
}

const COLUMNS = ['order', 'wallet', 'swap', 'trigger', 'state', 'waits for', 'changed', 'why'];
const TRANSACTION_COLUMNS = [
  'no',
  'kind',
  'outcome',
  'sold',
  'bought',
  'at price',
  'recorded',
  'ended',
  'signature',
];

/** Returns the cells of an order under `COLUMNS`. */
function toRow(order: Static<typeof WaitingOrderLine>): string[] {
  return [
    order.id,
    order.wallet,
    `${order.remaining} of ${order.inputMint} for ${order.outputMint}`,
    toTriggerText(order),
    order.state,
    order.waitsFor ?? '',
    formatTimeOrNever(order.updatedAt),
    order.explanation,
  ];
}

/**
 * Returns everything about an order that waits, as text.
 *
 * @param answer - The answer of the admin interface.
 * @throws OperatorError if the answer has another form
 */
export function renderWaitingOrder(answer: unknown): string {
  const { order, transactions } = checkAnswer(WaitingOrderAnswer, answer);
  const given = (name: string, value: string | null) => (value === null ? [] : [[name, value]]);
  const time = (name: string, at: number | null) => given(name, at === null ? null : formatTimeOrNever(at));
  const details = renderTable([
    ['order', order.id],
    ['state', order.state],
    ['why', order.explanation],
    ...given('waits for', order.waitsFor),
    ['wallet', order.wallet],
    ['vault', order.vault],
    ['account', order.account],
    ['sells', `${order.inputAmount} of ${order.inputMint}, of which ${order.remaining} are left`],
    ['buys', order.outputMint],
    ['received', order.received],
    ['kind', order.kind],
    ...given('trigger', order.triggers.length === 0 ? null : toTriggerText(order)),
    ...given(
      'trails',
      order.trailing === null ? null : `${order.trailing.bps} bps from ${order.trailing.watermark}`,
    ),
    ...given('rounds', order.rounds === null ? null : toRoundsText(order.rounds)),
    ['price now', order.price === null ? 'not known' : `${order.price}`],
    ...order.triggers.map(({ leg, slippageBps }) => [
      order.triggers.length === 1 ? 'slippage' : `slippage of ${leg}`,
      slippageBps === null ? 'chosen by Sluice' : `${slippageBps} bps`,
    ]),
    ['created', formatTimeOrNever(order.createdAt)],
    ['changed', formatTimeOrNever(order.updatedAt)],
    ['expires', order.expiresAt === null ? 'never' : formatTimeOrNever(order.expiresAt)],
    ...time('edited', order.editedAt),
    ...time('triggered', order.triggeredAt),
    ['failures', `${order.failures} in a row`],
    ...time('next attempt', order.retryAt),
    ...given('keeper', order.keeper),
    ...time('keeper until', order.keeperUntil),
  ]);
  const rows = transactions.map((transaction) => [
    `${transaction.number}`,
    toKindText(transaction),
    transaction.outcome,
    transaction.inputAmount,
    transaction.outputAmount ?? '',
    transaction.triggeredPrice === null ? '' : `${transaction.triggeredPrice}`,
    formatTimeOrNever(transaction.createdAt),
    transaction.endedAt === null ? '' : formatTimeOrNever(transaction.endedAt),
    transaction.signature,
  ]);
  return rows.length === 0 ? details : `${details}\n${renderTable([TRANSACTION_COLUMNS, ...rows])}`;
}

function toKindText({ kind, leg, round }: Static<typeof WaitingOrderAnswer>['transactions'][number]): string {
  if (round !== null) return `${kind} of round ${round}`;
  return leg === null || leg === 'single' ? kind : `${kind} of ${leg}`;
}

function toTriggerText({ triggers, rounds }: Static<typeof WaitingOrderLine>): string {
  if (rounds !== null) return `${rounds.filled} of ${rounds.total} rounds`;
  return triggers
    .map(({ mint, condition, triggerPrice }, index) =>
      index === 0 ? `${mint} ${condition} ${triggerPrice}` : `${condition} ${triggerPrice}`,
    )
    .join(' or ');
}

function toRoundsText(rounds: NonNullable<Static<typeof WaitingOrderLine>['rounds']>): string {
  const { total, filled, intervalMs, nextAt, triggerMint, minPrice, maxPrice } = rounds;
  const due = filled < total ? `, the next at ${formatTimeOrNever(nextAt)}` : '';
  const between =
    triggerMint === null ? '' : `, while ${triggerMint} costs ${minPrice ?? 0} to ${maxPrice ?? '∞'}`;
  return `${filled} of ${total}, every ${intervalMs / 1_000} s${due}${between}`;
}
