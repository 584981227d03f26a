import { Type } from 'typebox';
import { formatForError } from '../../../common/format-for-error.ts';
import { defineEndpoint, OtherAnswer } from '../../endpoint.ts';
import type { LandingServices } from '../submissions/services.ts';
import { ReportAnswer, toReportAnswer } from './report-schema.ts';
import { SubmitRefusal } from './schema.ts';

export const report = defineEndpoint({
  method: 'GET',
  path: '/tx/v1/reports/:signature',
  operationId: 'GetLandingReport',
  example: { params: { signature: '1'.repeat(64) } },
  summary: 'What became of a submitted transaction',
  description:
    'The report about a transaction that the organisation of the key submitted, or without a key, that a caller without a key ' +
    'submitted. Reports are kept for seven days.',
  credits: 0,
  params: Type.Object({
    signature: Type.String({ minLength: 1, maxLength: 100, description: 'The first signature, in base58.' }),
  }),
  responses: { 200: ReportAnswer, 404: SubmitRefusal },
  handle: async ({ reports }: LandingServices, { params: { signature }, caller }) => {
    const owner = caller.kind === 'organisation' ? caller.id : null;
    const [found] = (await reports.find(signature, owner)).filter((each) => each.signature === signature);
    if (found !== undefined) return toReportAnswer(found);
    const by = owner === null ? 'without a key' : 'by your organisation';
    return new OtherAnswer(404, {
      error: `no transaction ${formatForError(signature)} was submitted ${by} within seven days`,
    });
  },
});
