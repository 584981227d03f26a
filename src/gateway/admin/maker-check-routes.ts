import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { AdminRefused } from './granted.ts';
import { type CheckRuns, MAX_WAIT_SECONDS, type Report } from '../../rfq/conformance/index.ts';
import type { Makers } from '../../rfq/makers/makers.ts';
import { formatForError } from '../../common/format-for-error.ts';
import { MakerCheckAnswer, MakerCheckBody } from './maker-check-schema.ts';
import { MakerParams } from './maker-schema.ts';

const CHECK = '/admin/v1/network/makers/:maker/check';

/** Checks of makers trade with the network's own tokens, so they are among its controls. */
export function registerMakerChecks(
  root: FastifyInstance,
  makers: Pick<Makers, 'get'>,
  checks: CheckRuns,
): void {
  const app = root.withTypeProvider<TypeBoxTypeProvider>();
  const response = { 200: MakerCheckAnswer };
  app.post(
    CHECK,
    {
      schema: {
        tags: ['makers'],
        summary: 'Begin to put a connected maker through every situation',
        params: MakerParams,
        body: MakerCheckBody,
        response,
      },
    },
    async ({ params: { maker }, body: { waitSeconds = MAX_WAIT_SECONDS } }) => {
      if (makers.get(maker) === null)
        throw new AdminRefused(404, `there is no maker ${formatForError(maker)}`);
      const report = checks.begin(maker, waitSeconds);
      if (report === null) throw new AdminRefused(409, 'a check of a maker is under way; wait for its end');
      return answerOf(report);
    },
  );
  app.get(
    CHECK,
    {
      schema: {
        tags: ['makers'],
        summary: 'What the last check of a maker found',
        params: MakerParams,
        response,
      },
    },
    async ({ params: { maker } }) => {
      const report = checks.report(maker);
      if (report === null)
        throw new AdminRefused(404, `there was no check of the maker ${formatForError(maker)}`);
      return answerOf(report);
    },
  );
}

function answerOf({ makerId, running, passed, findings }: Report) {
  return { maker: makerId, running, passed, findings: [...findings] };
}
