import { type Static, Type } from 'typebox';
import { named } from '../../named-schema.ts';
import type { LandingReport } from '../../../transactions/reports/landing-report.ts';

const Time = (what: string) =>
  Type.Union([Type.Integer(), Type.Null()], { description: `Unix milliseconds at which it ${what}.` });

export const ReportAnswer = named(
  'LandingReport',
  Type.Object({
    signature: Type.String(),
    requestId: Type.String({ description: 'The id of the first request that submitted it.' }),
    outcome: Type.Union([Type.String(), Type.Null()], {
      description:
        '`confirmed`, `failed` (in a block with an error), `expired`, `rejected` (refused by every sender) or `unknown` (given ' +
        'up without an answer); null while it is under way.',
    }),
    slot: Type.Union([Type.String(), Type.Null()], { description: 'Of the block that it is in.' }),
    error: Type.Union([Type.String(), Type.Null()], { description: 'Why it failed or was rejected.' }),
    sends: Type.Integer({ description: 'How often it was sent since it was accepted.' }),
    firstSeenBy: Type.Union([Type.String(), Type.Null()], {
      description:
        'Which node was the first to show it in its block; null if it is sent through one only, or was in a block before it was accepted.',
    }),
    acceptedAt: Type.Integer({ description: 'Unix milliseconds at which it was accepted.' }),
    forwardedAt: Time('was first taken by a node'),
    seenAt: Time('was first seen in a block'),
    confirmedAt: Time('was confirmed'),
    endedAt: Time('landed or was given up'),
  }),
);

export function toReportAnswer(report: LandingReport): Static<typeof ReportAnswer> {
  const { organisationId: _, slot, ...rest } = report;
  return { ...rest, slot: slot === null ? null : slot.toString() };
}
