import { Type } from 'typebox';

const AddressText = Type.String({ minLength: 32, maxLength: 44, description: 'A Solana address.' });
const U64Text = Type.String({ pattern: '^(0|[1-9][0-9]{0,19})$', description: 'A whole number, as text.' });
const SnapshotName = Type.String({
  pattern: '^[a-z0-9][a-z0-9-]{0,63}$',
  description: 'Lowercase letters, digits and hyphens, at most 64.',
});
const closed = { additionalProperties: false };

export const NetworkAnswer = Type.Object({
  rpcUrl: Type.String({ description: 'Solana JSON-RPC.' }),
  wsUrl: Type.String({ description: 'Solana WebSocket.' }),
  slot: U64Text,
  unixTimestamp: Type.String({ description: 'The clock of the network, in Unix seconds.' }),
});

export const FaucetBody = Type.Object({ wallet: AddressText, mint: AddressText, amount: U64Text }, closed);
export const FaucetAnswer = Type.Object({ signature: Type.String(), account: AddressText });

export const ClockBody = Type.Object(
  {
    slots: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 1_000_000, description: 'Empty slots to pass; 0 when absent.' }),
    ),
    seconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 315_360_000,
        description: 'Seconds by which the chain’s clock moves; 0 when absent.',
      }),
    ),
  },
  closed,
);
export const ClockAnswer = Type.Object({
  slot: U64Text,
  unixTimestamp: Type.String({ description: 'Unix seconds.' }),
  notice: Type.Optional(
    Type.String({
      description: 'What the clock keeps from working, as a sentence. Absent while nothing is.',
    }),
  ),
});

export const AccountsBody = Type.Object(
  {
    accounts: Type.Array(
      Type.Object(
        {
          address: AddressText,
          account: Type.Union([
            Type.Null({ description: 'Deletes the account.' }),
            Type.Object(
              { lamports: U64Text, owner: AddressText, data: Type.String({ description: 'Base64.' }) },
              closed,
            ),
          ]),
        },
        closed,
      ),
      { minItems: 1, maxItems: 1_000 },
    ),
  },
  closed,
);
export const AccountsAnswer = Type.Object({ slot: U64Text });

export const SnapshotBody = Type.Object({ name: SnapshotName }, closed);
export const SnapshotParams = Type.Object({ name: SnapshotName });
export const SnapshotContent = Type.Object(
  { content: Type.String({ description: 'The snapshot: gzipped, at most 12 MiB, in base64.' }) },
  closed,
);
export const SnapshotsAnswer = Type.Object({
  snapshots: Type.Array(Type.Object({ name: Type.String(), slot: U64Text })),
});

export const FaultsJson = Type.Object(
  {
    seed: Type.Integer({ minimum: 0, maximum: 0xffff_ffff, description: 'Seed of the random numbers.' }),
    drop: Type.Number({
      minimum: 0,
      maximum: 1,
      description: 'Probability that an attempt to land a transaction is lost.',
    }),
    delaySlots: Type.Integer({
      minimum: 0,
      maximum: 150,
      description: 'Slots before the first attempt to land a transaction.',
    }),
    reorderSlots: Type.Integer({
      minimum: 0,
      maximum: 32,
      description: 'Maximum of further slots, chosen at random.',
    }),
    congestion: Type.String({
      pattern: '^(0|[1-9][0-9]{0,19})$',
      description:
        'Micro-lamports per compute unit, as text. Above 0, recent priority fees are reported as at least this, and a transaction that pays less waits until the congestion ends or its blockhash expires.',
    }),
    staleReads: Type.Integer({ minimum: 0, maximum: 32, description: 'Slots that reads lag behind.' }),
  },
  closed,
);
/** A fault that is left out is switched off. */
export const FaultsBody = Type.Partial(FaultsJson, closed);

const Effect = Type.Union([Type.Literal('drop'), Type.Literal('delay'), Type.Literal('fail')], {
  description:
    '`drop`: accepted, and never lands. `delay`: the first attempt to land is later. `fail`: lands, pays its fee, and fails.',
});
export const NextFaultBody = Type.Object(
  {
    effect: Effect,
    count: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1_000,
        description: 'Transactions that are struck; 1 when absent.',
      }),
    ),
    wallet: Type.Optional(AddressText),
    program: Type.Optional(AddressText),
    slots: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 150, description: 'Slots of a delay; 10 when absent.' }),
    ),
    code: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 0xffff_ffff,
        description: 'The custom error of a failure, in the first instruction; 1 when absent.',
      }),
    ),
  },
  closed,
);
const Anything = Type.Union([AddressText, Type.Null({ description: 'Any.' })]);
export const NextFaultsAnswer = Type.Object({
  waiting: Type.Array(
    Type.Object({ effect: Effect, count: Type.Integer(), wallet: Anything, program: Anything }),
    { description: 'In their order. The first one that matches a transaction strikes it.' },
  ),
  struck: Type.Array(Type.Object({ effect: Effect, signature: Type.String(), slot: U64Text }), {
    description: 'The last hundred transactions that were struck, the oldest first.',
  }),
});

export type FaultsJson = Type.Static<typeof FaultsJson>;
