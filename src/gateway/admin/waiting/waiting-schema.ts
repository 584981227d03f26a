import { Type } from 'typebox';
import { ORDER_LEGS, PLAN_KINDS, TRIGGER_CONDITIONS } from '../../../waiting-orders/order-plan.ts';
import { ORDER_STATES, WAIT_REASONS } from '../../../waiting-orders/waiting-order.ts';
import { Next, page, Time } from '../platform/platform-schema.ts';

/** Nothing else is an id of an order. PostgreSQL takes no U+0000 in a text. */
const OrderId = Type.String({
  pattern: '^[0-9a-zA-Z-]{1,64}$',
  description: 'The `id` in the answer with which the order was created.',
});
const Address = (description: string) =>
  Type.Optional(Type.String({ pattern: '^[1-9A-HJ-NP-Za-km-z]{32,44}$', description }));

export const WaitingListQuery = Type.Object(
  {
    wallet: Address('In base58.'),
    mint: Address('The mint of the input or of the output.'),
    state: Type.Optional(
      Type.Enum([...ORDER_STATES], { description: 'Default: all in which the order may have money.' }),
    ),
    waitsFor: Type.Optional(Type.Enum([...WAIT_REASONS], { description: 'Why the order is not filled.' })),
    ...page,
  },
  { additionalProperties: false },
);
export const WaitingOrderParams = Type.Object({ order: OrderId });

const nullable = <T extends Type.TSchema>(type: T, description: string) =>
  Type.Union([type, Type.Null()], { description });
const time = (description: string) => nullable(Type.Integer(), `Unix milliseconds; ${description}`);
const atoms = (description: string) =>
  Type.String({ description: `Atoms, in decimal digits; ${description}` });

export const WaitingOrderLine = Type.Object({
  id: Type.String(),
  wallet: Type.String(),
  vault: Type.String({ description: 'The address whose key Sluice keeps for the wallet.' }),
  account: Type.String({ description: 'The token account of the vault with the input.' }),
  inputMint: Type.String(),
  outputMint: Type.String(),
  inputAmount: atoms('what was deposited.'),
  remaining: atoms('what is not spent.'),
  received: atoms('of the output, what the fills paid together.'),
  kind: Type.Enum([...PLAN_KINDS]),
  triggers: Type.Array(
    Type.Object({
      leg: Type.Enum([...ORDER_LEGS]),
      mint: Type.String({ description: 'The mint whose price is watched.' }),
      condition: Type.Enum([...TRIGGER_CONDITIONS]),
      triggerPrice: Type.Number({ description: 'US dollars for one whole token.' }),
      slippageBps: nullable(Type.Integer(), 'Null: Sluice chooses it.'),
    }),
    { description: 'The prices that fill the order now. Empty if it is filled in rounds.' },
  ),
  price: nullable(Type.Number(), 'The price of the watched mint now; null if it has none.'),
  trailing: nullable(
    Type.Object({
      bps: Type.Integer({ description: 'How far the trigger is from the watermark.' }),
      watermark: Type.Number({ description: 'The best price since the order was created.' }),
    }),
    'Null: the trigger does not follow the price.',
  ),
  rounds: nullable(
    Type.Object({
      total: Type.Integer(),
      filled: Type.Integer(),
      intervalMs: Type.Integer(),
      nextAt: Time,
      lastAt: time('when the last round was filled; null before the first one.'),
      triggerMint: nullable(
        Type.String(),
        'The mint of the two prices; null if rounds are filled at any price.',
      ),
      minPrice: nullable(Type.Number(), 'No round is filled below this price.'),
      maxPrice: nullable(Type.Number(), 'No round is filled above this price.'),
    }),
    'Null: the order is not filled in rounds.',
  ),
  state: Type.Enum([...ORDER_STATES]),
  waitsFor: nullable(Type.Enum([...WAIT_REASONS]), 'Why it is not filled although its price is reached.'),
  explanation: Type.String({
    description: 'A sentence that says what the order waits for, or how it ended.',
  }),
  failures: Type.Integer({ description: 'Fills in a row that did not succeed.' }),
  retryAt: time('no fill is attempted before; null: at once.'),
  keeper: nullable(Type.String(), 'Which keeper works on it; null: none does.'),
  keeperUntil: time('when its lease ends, unless the keeper renews it; null without one.'),
  triggeredAt: time('when its first fill was recorded; null before.'),
  createdAt: Time,
  updatedAt: Time,
  expiresAt: time('null: never.'),
  editedAt: time('when the wallet last changed it; null: never.'),
});

const OrderTransactionLine = Type.Object({
  number: Type.Integer({ description: 'Counts the transactions of the order from 1.' }),
  kind: Type.String({ description: 'deposit, fill or withdrawal.' }),
  signature: Type.String(),
  outcome: Type.String({ description: 'pending, success, failed or expired.' }),
  inputAmount: atoms('of the input, what it moves.'),
  outputAmount: nullable(Type.String(), 'Atoms of the output that it paid; null if it paid none.'),
  triggeredPrice: nullable(Type.Number(), 'The price at which a fill was triggered; null for the others.'),
  leg: nullable(Type.Enum([...ORDER_LEGS]), 'What a fill belongs to; null for the others.'),
  round: nullable(Type.Integer(), 'Which round it fills; null for the others.'),
  lastValidBlockHeight: Type.String({ description: 'After this block it can no longer land.' }),
  createdAt: Time,
  endedAt: time('null while it is under way.'),
});

export const WaitingOrdersAnswer = Type.Object({
  orders: Type.Array(WaitingOrderLine, { description: 'Newest first.' }),
  next: Next,
});
export const WaitingOrderAnswer = Type.Object({
  order: WaitingOrderLine,
  transactions: Type.Array(OrderTransactionLine, { description: 'The newest 100, newest first.' }),
});
