import type { Static } from 'typebox';
import { renderTable } from '../../../config/render.ts';
import {
  type BidLine,
  type FillLine,
  FillsAnswer,
  FILL_STATES,
  OrderAnswer,
  type OrderLine,
  OrdersAnswer,
  OrganisationOrderAnswer,
  ORDER_OUTCOMES,
} from '../../../gateway/admin/ledger/ledger-schema.ts';
import { ADMIN_SETTINGS, callAdmin, findByAdmin } from '../../admin-client/admin-call.ts';
import { checkAnswer, formatTimeOrNever, toOrganisationPath } from '../../admin-client/platform-answers.ts';
import type { Command, CommandFlag } from '../../command-line/command.ts';
import { parseTimeFlags, TIME_FLAGS } from './time-flags.ts';
import { PAGE_FLAGS, writeNextPage } from './page-flags.ts';
import { renderWaitingOrder } from './waiting-order.ts';

const settings = ADMIN_SETTINGS;

const ORG_FLAG: CommandFlag = {
  name: 'org',
  allowed: "an organisation's slug",
  description: 'Only orders of this organisation. Default: of all, which takes the operator.',
};
const LIST_FLAGS: readonly CommandFlag[] = [
  { name: 'taker', allowed: 'an address', description: 'Only orders of this wallet.' },
  { name: 'maker', allowed: "a maker's id", description: 'Only orders in which this maker takes part.' },
  { name: 'signature', allowed: 'a signature', description: 'Only what was signed so, however old it is.' },
  ...PAGE_FLAGS,
];
const ORDER_FLAGS: readonly CommandFlag[] = [
  {
    name: 'outcome',
    allowed: ORDER_OUTCOMES.join(', '),
    description: 'Only orders that stand so.',
  },
  {
    name: 'code',
    allowed: 'a whole number',
    description: 'Only orders whose execution ended with this code.',
  },
  { name: 'router', allowed: 'a router such as metis', description: 'Only orders that this router quoted.' },
];
const FILL_FLAGS: readonly CommandFlag[] = [
  { name: 'state', allowed: FILL_STATES.join(', '), description: 'Only fills that stand so.' },
];
/** Flags that are parameters of the lists, by the same names. */
const PASSED_FLAGS = [...LIST_FLAGS, ...ORDER_FLAGS, ...FILL_FLAGS];

export const ORDER_COMMANDS: readonly Command[] = [
  {
    name: 'order list',
    summary: 'List orders, newest first. Default: those of the last 7 days.',
    words: [],
    settings,
    flags: [ORG_FLAG, ...TIME_FLAGS, ...ORDER_FLAGS, ...LIST_FLAGS],
    run: async ({ config, flags, write, writeError }) => {
      const path = toListPath('orders', flags);
      const answer = checkAnswer(OrdersAnswer, await callAdmin(config, { method: 'GET', path }));
      write(renderTable([ORDER_COLUMNS, ...answer.orders.map(toOrderRow)]));
      writeRest(answer, writeError);
      return 0;
    },
  },
  {
    name: 'order show',
    summary:
      'Show everything about an order, by the request id in its answer, or by the id of an order that waits.',
    words: ['request-id'],
    settings,
    flags: [ORG_FLAG],
    run: async ({ config, words: [requestId = ''], flags, write }) => {
      const org = flags.get('org');
      const order = `orders/${encodeURIComponent(requestId)}`;
      if (org !== undefined) {
        const path = `${toOrganisationPath(org)}/${order}`;
        const answer = await callAdmin(config, { method: 'GET', path });
        write(renderTable(toOrderDetails(checkAnswer(OrganisationOrderAnswer, answer).order)));
        return 0;
      }
      const waiting = await findByAdmin(config, `waiting-${order}`);
      if (waiting !== null) {
        write(renderWaitingOrder(waiting));
        return 0;
      }
      const answer = checkAnswer(OrderAnswer, await callAdmin(config, { method: 'GET', path: order }));
      write(renderTable(toOrderDetails(answer.order)));
      if (answer.makers.length > 0) write(`\n${renderTable([BID_COLUMNS, ...answer.makers.map(toBidRow)])}`);
      return 0;
    },
  },
  {
    name: 'fill list',
    summary: 'List the fills that makers were offered, newest first. Default: those of the last 7 days.',
    words: [],
    settings,
    flags: [ORG_FLAG, ...TIME_FLAGS, ...FILL_FLAGS, ...LIST_FLAGS],
    run: async ({ config, flags, write, writeError }) => {
      const path = toListPath('fills', flags);
      const answer = checkAnswer(FillsAnswer, await callAdmin(config, { method: 'GET', path }));
      write(renderTable([FILL_COLUMNS, ...answer.fills.map(toFillRow)]));
      writeRest(answer, writeError);
      return 0;
    },
  },
];

const ORDER_COLUMNS = ['time', 'order', 'swap', 'router', 'maker', 'taker', 'who', 'result', 'signature'];
const BID_COLUMNS = ['maker', 'by', 'result', 'last look', 'fill', 'detail'];
const FILL_COLUMNS = [
  'time',
  'order',
  'maker',
  'state',
  'last look',
  'paid',
  'received',
  'dollars',
  'signature',
];

/** Returns the cells of an order under `ORDER_COLUMNS`. */
function toOrderRow(order: Static<typeof OrderLine>): string[] {
  return [
    formatTimeOrNever(order.at),
    order.requestId,
    toSwapText(order),
    order.router ?? '',
    order.maker ?? '',
    order.taker ?? '',
    toOwnerText(order, 'no key'),
    toResultText(order),
    order.execution?.signature ?? '',
  ];
}

function toOrderDetails(order: Static<typeof OrderLine>): string[][] {
  const { execution } = order;
  const given = (name: string, value: string | number | null | undefined) =>
    value === null || value === undefined ? [] : [[name, String(value)]];
  return [
    ['order', order.requestId],
    ['given out', formatTimeOrNever(order.at)],
    ['for', toOwnerText(order, 'a caller without a key')],
    ...given('taker', order.taker),
    ...given('receiver', order.receiver),
    ['swap', toSwapText(order)],
    ...given('mode', order.swapMode),
    ...given('slippage', order.slippageBps === null ? null : `${order.slippageBps} bps`),
    ...given('fee', order.feeAmount === null ? null : `${order.feeAmount} of ${order.feeMint}`),
    ...given('router', order.router),
    ...given('maker', order.maker),
    ...given('payer', order.payer === null ? null : `${order.payer}, the ${order.paidBy}`),
    ['result', toResultText(order)],
    ...(execution === null ? [] : [['executed', formatTimeOrNever(execution.begunAt)]]),
    ...(execution?.endedAt == null ? [] : [['took', `${execution.endedAt - execution.begunAt} ms`]]),
    ...given('reason', execution?.reason),
    ...given('signature', execution?.signature),
    ...given('slot', execution?.slot),
    ...given('paid', execution?.totalInput),
    ...given('received', execution?.totalOutput),
  ];
}

/** Returns the cells of a maker's part in an order under `BID_COLUMNS`. */
function toBidRow({ maker, channel, lost, detail, fill }: Static<typeof BidLine>): string[] {
  return [
    maker,
    channel ?? '',
    lost === null ? 'won' : `lost: ${lost}`,
    toLastLookText(fill),
    fill?.state ?? '',
    fill?.failure ?? detail ?? '',
  ];
}

/** Returns the cells of a fill under `FILL_COLUMNS`. */
function toFillRow({ at, requestId, maker, fill }: Static<typeof FillLine>): string[] {
  const side = (moved: { mint: string; atoms: string } | null | undefined) =>
    moved == null ? '' : `${moved.atoms} of ${moved.mint}`;
  return [
    formatTimeOrNever(at),
    requestId,
    maker,
    fill?.state ?? '',
    toLastLookText(fill),
    side(fill?.paid),
    side(fill?.received),
    fill?.microDollars == null ? '' : (Number(fill.microDollars) / 1e6).toFixed(2),
    fill?.signature ?? '',
  ];
}

function toLastLookText(fill: Static<typeof BidLine>['fill']): string {
  if (fill === null || fill.answer === null) return '';
  return fill.lastLookMs === null ? fill.answer : `${fill.answer} in ${fill.lastLookMs} ms`;
}

function toSwapText({ inAmount, inputMint, outAmount, outputMint }: Static<typeof OrderLine>): string {
  const side = (atoms: string | null, mint: string | null) => `${atoms ?? '?'} of ${mint ?? '?'}`;
  return `${side(inAmount, inputMint)} for ${side(outAmount, outputMint)}`;
}

/** An order of which only the end was noted has no terms, and its owner is not known either. */
function toOwnerText({ organisation, outAmount }: Static<typeof OrderLine>, keyless: string): string {
  return organisation ?? (outAmount === null ? 'not known' : keyless);
}

function toResultText({ execution }: Static<typeof OrderLine>): string {
  if (execution === null) return 'not executed';
  if (execution.code === null) return 'under way, or its end is not known';
  return execution.code === 0 ? 'swapped' : `failed with code ${execution.code}`;
}

function toListPath(what: string, flags: ReadonlyMap<string, string>): string {
  const given = [...flags].filter(([name]) => PASSED_FLAGS.some((flag) => flag.name === name));
  const query = new URLSearchParams({ ...parseTimeFlags(flags, Date.now()), ...Object.fromEntries(given) });
  const org = flags.get('org');
  return `${org === undefined ? '' : `${toOrganisationPath(org)}/`}${what}?${query}`;
}

function writeRest(
  { next, dropped }: { readonly next: string | null; readonly dropped: number },
  writeError: (text: string) => void,
): void {
  writeNextPage(next, writeError);
  if (dropped > 0) {
    writeError(
      `${dropped} rows were lost by this instance: too many waited, the tables refused them, or too many orders came in a second.\n`,
    );
  }
}
