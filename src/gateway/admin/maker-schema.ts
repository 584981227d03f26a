import { Type } from 'typebox';
import { REFUSALS } from '../../rfq/makers/snapshot-refusals.ts';
import { ACK_LATENCY_BOUNDS } from '../../rfq/makers/maker.ts';
import { MAX_MINTS } from '../../rfq/makers/maker-trades.ts';

const closed = { additionalProperties: false };
const Id = Type.String({
  maxLength: 200,
  description: '1 to 64 letters, digits, dots, hyphens and underscores.',
});
const Address = Type.String({ maxLength: 200, description: 'Signs fills and owns the inventory, base58.' });
const Pairs = Type.Union([Type.Array(Type.String({ maxLength: 200 }), { maxItems: 1_000 }), Type.Null()], {
  description: 'Pairs that the maker may quote, each `BASE/QUOTE` by their mints; null: every pair.',
});
const Time = Type.Integer({ minimum: 0, maximum: 8_640_000_000_000_000, description: 'Unix milliseconds.' });
const Count = Type.Integer({ minimum: 0 });
const Atoms = Type.String({ description: 'A whole number.' });

export const MakerParams = Type.Object({ maker: Id });
export const MakerBody = Type.Object({ id: Id, address: Address, pairs: Type.Optional(Pairs) }, closed);

const makerFields = {
  id: Type.String(),
  address: Type.String(),
  pairs: Pairs,
  enabled: Type.Boolean(),
  status: Type.Union([Type.Literal('prod'), Type.Literal('offline'), Type.Literal('suspended')]),
  blockedBy: Type.Union([Type.String(), Type.Null()], {
    description: 'Why it may not quote though its swap stream may be live.',
  }),
  connected: Type.Union([Type.Boolean(), Type.Null()], {
    description: 'Whether its swap stream is live; null: the instance that would know does not answer.',
  }),
  instance: Type.Union([Type.String(), Type.Null()], {
    description: 'Which of several instances it is connected to; null: none of them, or there is one only.',
  }),
  tampered: Type.Boolean({ description: 'It returned a modified swap and was not reinstated since.' }),
  suspendedUntil: Type.Union([Time, Type.Null()]),
  lastSequenceNumber: Type.String({ description: 'Of the last accepted snapshot, a u64.' }),
};
export const MakerLine = Type.Object(makerFields);
export const MakersAnswer = Type.Object({ makers: Type.Array(MakerLine) });
export const MakerAnswer = Type.Object({
  ...makerFields,
  accepted: Count,
  rejected: Type.Partial(Type.Object(Object.fromEntries(REFUSALS.map((refusal) => [refusal, Count]))), {
    description: 'Snapshots by the condition that refused them.',
  }),
  ackLatency: Type.Array(Count, {
    description: `Acks that took at most ${ACK_LATENCY_BOUNDS.join(', ')} ms, each without those before; last, those that took longer.`,
  }),
  swaps: Type.Object({ filled: Count, missed: Count, tampered: Count }),
  orders: Type.Object(
    { considered: Count, won: Count },
    {
      description:
        'Orders that were given out while a book of its could have been part of them, and those of them with its fill.',
    },
  ),
  volume: Type.Object(
    {
      microDollars: Atoms,
      mints: Type.Array(Type.Object({ mint: Type.String(), paid: Atoms, received: Atoms })),
    },
    {
      description: `What landed fills moved: millionths of a US dollar by the pools' prices at that time, and atoms that the maker paid and received of the first ${MAX_MINTS} mints.`,
    },
  ),
});
export const NewMakerAnswer = Type.Object({
  ...makerFields,
  key: Type.String({ description: 'The key for `x-api-key`, shown this once.' }),
});
