import { Type } from 'typebox';
import { SNAPSHOT_REFUSALS } from '../../../rfq/makers/snapshot-refusals.ts';
import { ACK_LATENCY_BOUNDS } from '../../../rfq/makers/maker.ts';
import { MAX_MINTS } from '../../../rfq/makers/maker-trades.ts';

const closed = { additionalProperties: false };
const Id = Type.String({
  maxLength: 200,
  description: '1 to 64 letters, digits, dots, hyphens and underscores.',
});
const Address = Type.String({ maxLength: 200, description: 'Signs fills and owns the inventory, base58.' });
const Pairs = Type.Union([Type.Array(Type.String({ maxLength: 200 }), { maxItems: 1_000 }), Type.Null()], {
  description: 'Pairs that the maker may quote, each `BASE/QUOTE` by their mints; null: every pair.',
});
const Name = Type.Union([Type.String({ maxLength: 200 }), Type.Null()], {
  description: 'What the operator calls the maker, up to 64 characters; null: it has no name.',
});
const Webhook = Type.String({
  maxLength: 500,
  description: 'Base URL of the webhook at which the maker is asked for quotes.',
});
const WebhookKey = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'The key that the webhook wants as `x-api-key`.',
});
const Time = Type.Integer({ minimum: 0, maximum: 8_640_000_000_000_000, description: 'Unix milliseconds.' });
const Count = Type.Integer({ minimum: 0 });
const Atoms = Type.String({ description: 'A whole number.' });

export const MakerParams = Type.Object({ maker: Id });
export const MakerBody = Type.Object(
  {
    id: Id,
    address: Address,
    name: Type.Optional(Name),
    pairs: Type.Optional(Pairs),
    webhook: Type.Optional(Webhook),
    webhookKey: Type.Optional(WebhookKey),
  },
  closed,
);
export const MakerChangeBody = Type.Object(
  {
    name: Type.Optional(Name),
    pairs: Type.Optional(Pairs),
    webhook: Type.Optional(
      Type.Union([Webhook, Type.Null()], {
        description:
          'Base URL of the webhook, which keeps its key and its statistics; null: the maker is not asked.',
      }),
    ),
    webhookKey: Type.Optional(
      Type.Union([WebhookKey, Type.Null()], {
        description: 'The key that the webhook wants as `x-api-key`; null: it wants none.',
      }),
    ),
  },
  { ...closed, description: 'What is absent stays as it is.' },
);
export const MakerRemoved = Type.Null({ description: 'Removed.' });

const makerFields = {
  id: Type.String(),
  name: Name,
  address: Type.String(),
  pairs: Pairs,
  enabled: Type.Boolean(),
  status: Type.Union([Type.Literal('prod'), Type.Literal('offline'), Type.Literal('suspended')]),
  blockedBy: Type.Union([Type.String(), Type.Null()], {
    description: 'Why the maker may not quote, even if its swap stream is live; null: it may.',
  }),
  noOrders: Type.Union([Type.String(), Type.Null()], {
    description: 'Why it gets no orders now, over its streams or by its webhook; null: it can get some.',
  }),
  connected: Type.Union([Type.Boolean(), Type.Null()], {
    description: 'Whether its swap stream is live; null: the instance that knows does not answer.',
  }),
  instance: Type.Union([Type.String(), Type.Null()], {
    description: 'The instance it is connected to; null: to none, or there is only one instance.',
  }),
  tampered: Type.Boolean({
    description: 'Whether it returned a modified swap and has not been reinstated since.',
  }),
  suspendedUntil: Type.Union([Time, Type.Null()]),
  lastSequenceNumber: Type.String({
    description: 'The sequence number of the last accepted snapshot, a u64.',
  }),
  webhook: Type.Union(
    [
      Type.Object({
        url: Type.String(),
        status: Type.Union([Type.Literal('prod'), Type.Literal('offline'), Type.Literal('suspended')]),
        why: Type.Union([Type.String(), Type.Null()], {
          description: 'Why it is not asked until the operator enables it; null: it is, or will be.',
        }),
        suspendedUntil: Type.Union([Time, Type.Null()]),
        mints: Type.Union([Count, Type.Null()], {
          description: 'Mints that it lists, as this instance read them last; null: it has not answered yet.',
        }),
        swaps: Type.Object(
          { filled: Count, missed: Count, excused: Count },
          { description: 'Swaps that it was sent. `excused`: not filled through no fault of the maker.' },
        ),
        calls: Type.Object(
          {
            asked: Count,
            quoted: Count,
            declined: Count,
            failed: Count,
            lastAnswerAt: Type.Union([Time, Type.Null()]),
            problem: Type.Union([Type.String(), Type.Null()], {
              description: 'Why the last call failed; null: it has not.',
            }),
            restsUntil: Type.Union([Time, Type.Null()], {
              description: 'Until when it is not asked because its last calls failed; null: it is.',
            }),
          },
          {
            description:
              'Questions for quotes by this instance since it started; `declined` are answers of 404.',
          },
        ),
      }),
      Type.Null(),
    ],
    { description: 'The webhook of the maker; null: it has none.' },
  ),
};
export const MakerLine = Type.Object(makerFields);
export const MakersAnswer = Type.Object({ makers: Type.Array(MakerLine) });
export const MakerAnswer = Type.Object({
  ...makerFields,
  accepted: Count,
  rejected: Type.Partial(
    Type.Object(Object.fromEntries(SNAPSHOT_REFUSALS.map((refusal) => [refusal, Count]))),
    {
      description: 'Refused snapshots by the reason.',
    },
  ),
  ackLatency: Type.Array(Count, {
    description: `Acks of its snapshots by what this service took from the receipt of each to its ack, which is not the time of last look: at most ${ACK_LATENCY_BOUNDS.join(', ')} ms, each without the ones before; the last counts slower ones.`,
  }),
  swaps: Type.Object({ filled: Count, missed: Count, tampered: Count }),
  orders: Type.Object(
    { considered: Count, won: Count },
    {
      description: 'Orders for which one of its books was considered, and those of them that its fill won.',
    },
  ),
  volume: Type.Object(
    {
      microDollars: Atoms,
      mints: Type.Array(Type.Object({ mint: Type.String(), paid: Atoms, received: Atoms })),
    },
    {
      description: `Volume of landed fills: in millionths of a US dollar at the pools' prices of the time, and in atoms that the maker paid and received, for the first ${MAX_MINTS} mints.`,
    },
  ),
});
export const NewMakerAnswer = Type.Object({
  ...makerFields,
  key: Type.String({ description: 'The key for `x-api-key`, shown once.' }),
});
