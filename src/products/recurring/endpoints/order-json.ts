import { type Static, type TString, Type } from 'typebox';
import type { ShownDcaOrder } from '../../../program-orders/program-order.ts';
import { formatDecimalAmount } from '../../../solana/codec/decimal-amount.ts';
import { LazyList } from '../../json-in-turns.ts';
import { named } from '../../named-schema.ts';
import {
  type DecimalsOf,
  formatSeconds,
  type LazyTrades,
  ProgramOrderTradeJson,
  toProgramTradeJson,
} from '../../program-order-json.ts';

/** The amounts of an order that are shown in whole tokens, and again in base units with `raw` before their names. */
const SHOWN_AMOUNTS = {
  inDeposited: 'What was deposited.',
  inWithdrawn: 'What was given back of the input.',
  inUsed: 'What was traded of the input.',
  inAmountPerCycle: 'What a cycle trades. The last one trades the rest of the division too.',
  outReceived: 'What was bought, without the fee.',
  outWithdrawn: 'What was paid out of that.',
  minOutAmount: 'The least that a cycle may bring; 0 for no bound.',
  maxOutAmount: 'The most that a cycle may bring; 0 for no bound.',
} as const;
type ShownAmount = keyof typeof SHOWN_AMOUNTS;
const AMOUNT_NAMES = Object.keys(SHOWN_AMOUNTS) as readonly ShownAmount[];

type AmountFields = Record<ShownAmount | `raw${Capitalize<ShownAmount>}`, TString>;
const AmountFields = Object.fromEntries(
  AMOUNT_NAMES.flatMap((name) => [
    [name, Type.String({ description: `${SHOWN_AMOUNTS[name]} In whole tokens.` })],
    [toRawName(name), Type.String({ description: 'The same in base units.' })],
  ]),
) as AmountFields;

const Time = (description: string) => Type.String({ description: `${description} ISO 8601.` });

export const TimeOrderJson = named(
  'RecurringOrder',
  Type.Object({
    userPubkey: Type.String(),
    orderKey: Type.String({ description: 'The address of the order.' }),
    inputMint: Type.String(),
    outputMint: Type.String(),
    ...AmountFields,
    cycleFrequency: Type.String({ description: 'Seconds between two cycles.' }),
    openTx: Type.String({
      description:
        'The signature with which it was opened; empty if that was before anybody followed the program here.',
    }),
    closeTx: Type.String({ description: 'The signature with which it was closed; empty while it is open.' }),
    userClosed: Type.Boolean({ description: 'Whether the user closed it before it was done.' }),
    createdAt: Time('When it was opened.'),
    updatedAt: Time('When it last changed.'),
    trades: Type.Array(ProgramOrderTradeJson, { description: 'The newest first.' }),
  }),
);
export type TimeOrderJson = Static<typeof TimeOrderJson>;

/** Shows an order. Clients that are strict about types read texts where there is nothing to name. */
export function toRecurringJson(
  order: ShownDcaOrder,
  decimalsOf: DecimalsOf,
): LazyTrades<typeof TimeOrderJson> {
  const { inputMint, outputMint } = order;
  const amounts = AMOUNT_NAMES.flatMap((name) => {
    const decimals = decimalsOf(name.startsWith('in') ? inputMint : outputMint);
    return [
      [name, formatDecimalAmount(order[name], decimals)],
      [toRawName(name), String(order[name])],
    ];
  });
  return {
    userPubkey: order.maker,
    orderKey: order.address,
    inputMint,
    outputMint,
    ...(Object.fromEntries(amounts) as Record<keyof AmountFields, string>),
    cycleFrequency: String(order.cycleFrequency),
    openTx: order.openSignature ?? '',
    closeTx: order.closeSignature ?? '',
    userClosed: order.userClosed,
    createdAt: formatSeconds(order.createdAt),
    updatedAt: formatSeconds(order.updatedAt),
    trades: new LazyList(order.trades, (trade) => toProgramTradeJson(order, trade, decimalsOf)),
  };
}

function toRawName<Name extends string>(name: Name): `raw${Capitalize<Name>}` {
  return `raw${name.charAt(0).toUpperCase()}${name.slice(1)}` as `raw${Capitalize<Name>}`;
}
