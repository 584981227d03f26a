import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { AdminRequestRefused } from '../access/unwrap-result.ts';
import { type CheckRuns, MAX_WAIT_SECONDS, type Report } from '../../../rfq/conformance/index.ts';
import { formatForError } from '../../../common/format-for-error.ts';
import { MakerCheckAnswer, MakerCheckBody } from './maker-check-schema.ts';
import type { MakerControls } from './maker-endpoints.ts';
import { MakerParams } from './maker-schema.ts';

const CHECK = '/admin/v1/network/makers/:maker/check';

/** Registers the conformance checks of makers. They trade tokens of the embedded network, so they belong to its controls. */
export function registerMakerChecks(
  root: FastifyInstance,
  { makers, webhooks }: Pick<MakerControls, 'makers' | 'webhooks'>,
  checks: CheckRuns,
): void {
  const app = root.withTypeProvider<TypeBoxTypeProvider>();
  const response = { 200: MakerCheckAnswer };
  app.post(
    CHECK,
    {
      schema: {
        tags: ['makers'],
        summary: 'Begin a conformance check of a maker',
        params: MakerParams,
        body: MakerCheckBody,
        response,
      },
    },
    async ({ params: { maker }, body: { waitSeconds = MAX_WAIT_SECONDS, kind = checks.kindOf(maker) } }) => {
      if (makers.get(maker) === null)
        throw new AdminRequestRefused(404, `there is no maker ${formatForError(maker)}`);
      if (kind === 'webhook' && webhooks.find(maker) === null)
        throw new AdminRequestRefused(400, `the maker ${formatForError(maker)} has no webhook to check`);
      const report = checks.begin(maker, waitSeconds, kind);
      if (report === null)
        throw new AdminRequestRefused(409, 'a check of a maker is under way; wait for its end');
      return toCheckAnswer(report);
    },
  );
  app.get(
    CHECK,
    {
      schema: {
        tags: ['makers'],
        summary: 'The result of a maker’s last conformance check',
        params: MakerParams,
        response,
      },
    },
    async ({ params: { maker } }) => {
      const report = checks.report(maker);
      if (report === null)
        throw new AdminRequestRefused(404, `there was no check of the maker ${formatForError(maker)}`);
      return toCheckAnswer(report);
    },
  );
}

function toCheckAnswer({ makerId, running, passed, findings }: Report) {
  return { maker: makerId, running, passed, findings: [...findings] };
}
