import { Type } from 'typebox';
import type { ShownOutcome } from '../../../transactions/reports/landing-reports.ts';
import { Next, page, Slug, Time as AnyTime } from '../platform/platform-schema.ts';

/** The outcomes by which landings are listed. Commands have them, too, and load nothing of the room of landings. */
const SHOWN_OUTCOMES = [
  'confirmed',
  'failed',
  'expired',
  'rejected',
  'unknown',
  'under-way',
] as const satisfies readonly ShownOutcome[];

const Time = (what: string) =>
  Type.Union([Type.Integer(), Type.Null()], { description: `Unix milliseconds at which it ${what}.` });
const Name = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'The signature of a transaction, or the id of a request that submitted one.',
});

export const LandingParams = Type.Object({ name: Name });
export const OrganisationLandingParams = Type.Object({ organisation: Type.String(), name: Name });
export const LandingListQuery = Type.Object(
  {
    outcome: Type.Optional(
      Type.Union(
        SHOWN_OUTCOMES.map((each) => Type.Literal(each)),
        { description: 'Only landings that ended so, or are under way.' },
      ),
    ),
    organisation: Type.Optional(Slug),
    since: Type.Optional(
      Type.Integer({ ...AnyTime, description: 'Unix milliseconds; 7 days ago when absent.' }),
    ),
    until: Type.Optional(Type.Integer({ ...AnyTime, description: 'Unix milliseconds; now when absent.' })),
    ...page,
  },
  { additionalProperties: false },
);
const LandingAnswer = Type.Object({
  signature: Type.String(),
  organisation: Type.Union([Type.String(), Type.Null()], {
    description: 'Null: it was submitted without a key.',
  }),
  requestId: Type.String({ description: 'The first request of the organisation that submitted it.' }),
  outcome: Type.Union([Type.String(), Type.Null()], {
    description: 'confirmed, failed, expired, rejected or unknown; null while it is under way.',
  }),
  slot: Type.Union([Type.String(), Type.Null()]),
  error: Type.Union([Type.String(), Type.Null()]),
  sends: Type.Integer(),
  firstSeenBy: Type.Union([Type.String(), Type.Null()], {
    description: 'Which node was the first to show it in its block; null if it is sent through one only.',
  }),
  acceptedAt: Type.Integer({ description: 'Unix milliseconds.' }),
  forwardedAt: Time('was first taken by a node'),
  seenAt: Time('was first seen in a block'),
  confirmedAt: Time('was confirmed'),
  endedAt: Time('landed or was given up'),
});
export const LandingsAnswer = Type.Object({ landings: Type.Array(LandingAnswer) });
export const LandingListAnswer = Type.Object({
  landings: Type.Array(LandingAnswer),
  next: Next,
  lost: Type.Integer({
    description: 'Reports that this instance has lost since its start, because too many waited.',
  }),
});
