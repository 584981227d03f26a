import { Type } from 'typebox';
import type { BreakerView } from '../../rfq/desk/breaker-view.ts';
import { MAX_SHOWN_CHANGES, type MakerDesk, type MakerStanding } from '../../rfq/desk/maker-desk.ts';
import { named } from '../named-schema.ts';

const Count = Type.Integer({ minimum: 0 });
const Time = Type.Integer({ minimum: 0, description: 'Unix milliseconds.' });
const Status = Type.Enum(['prod', 'offline', 'suspended']);
const counts = {
  state: Type.Enum(['off', 'closed', 'suspended'], {
    description:
      '`off`: no missed swap suspends the maker. `closed`: it trades. `suspended`: its missed swaps took it out of the market.',
  }),
  swaps: Type.Integer({ minimum: 0, description: 'Swaps within the window since the last suspension.' }),
  filled: Type.Integer({ minimum: 0, description: 'Those of them that were filled.' }),
  missesLeft: Type.Union([Count, Type.Null()], {
    description:
      'How many swaps in a row, missed from now on, bring the fill rate below the threshold; null: none do, or it is suspended.',
  }),
  windowMs: Type.Integer({ description: 'Milliseconds: older swaps do not count.' }),
  minimumSwaps: Type.Integer({ description: 'With fewer swaps in the window, the fill rate is not judged.' }),
  thresholdPercent: Type.Integer({ description: 'A fill rate below it counts as too low.' }),
};

/** The circuit breaker of a maker, and the history of its status. */
export const makerStanding = {
  breaker: named(
    'MakerBreaker',
    Type.Object({
      ...counts,
      suspensionMs: Type.Integer({ description: 'How long a suspension lasts.' }),
      suspendedUntil: Type.Union([Time, Type.Null()]),
    }),
  ),
  webhookBreaker: Type.Union(
    [
      named(
        'MakerWebhookBreaker',
        Type.Object({
          ...counts,
          suspensionsMs: Type.Array(Type.Integer(), {
            description:
              'How long it is not asked after its first missed swap, its second, and so on; filled swaps make up for missed ones.',
          }),
          suspendedUntil: Type.Union([Time, Type.Null()]),
        }),
      ),
      Type.Null(),
    ],
    { description: 'Null without a webhook. Below the threshold, it is off until the operator enables it.' },
  ),
  changes: Type.Array(
    named(
      'MakerStatusChange',
      Type.Object({
        at: Time,
        from: Status,
        to: Status,
        cause: Type.String({ description: 'Why the status changed, as a sentence.' }),
      }),
    ),
    { description: `The last changes of its status, at most ${MAX_SHOWN_CHANGES}, newest first.` },
  ),
};

const standing = Type.Object(makerStanding);

/** Returns the circuit breaker of a maker and the history of its status as clients see them. */
export function toStandingJson(
  { view, breaker, webhookBreaker, webhookSuspendedUntil, changes }: MakerStanding,
  { streams, webhooks }: MakerDesk['policy'],
): Type.Static<typeof standing> {
  return {
    breaker: {
      ...toCounts(breaker, streams),
      suspensionMs: streams.suspensionMs,
      suspendedUntil: view.maker.state.suspendedUntil,
    },
    webhookBreaker:
      webhookBreaker === null
        ? null
        : {
            ...toCounts(webhookBreaker, webhooks),
            suspensionsMs: [...webhooks.suspensionsMs],
            suspendedUntil: webhookSuspendedUntil,
          },
    changes: changes.map(({ at, from, to, cause }) => ({ at, from, to, cause })),
  };
}

function toCounts(
  { state, swaps, filled, missesLeft }: BreakerView,
  {
    windowMs,
    minimumSwaps,
    thresholdPercent,
  }: Pick<MakerDesk['policy']['streams'], 'windowMs' | 'minimumSwaps' | 'thresholdPercent'>,
) {
  return { state, swaps, filled, missesLeft, windowMs, minimumSwaps, thresholdPercent };
}
