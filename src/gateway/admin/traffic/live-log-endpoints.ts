import { Readable } from 'node:stream';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { SYSTEM_TIMERS, type Timers, waitWithin, wait } from '../../../common/ports/timers.ts';
import { Unavailable } from '../../../common/unavailable.ts';
import { isStillLetIn } from '../../../platform/audit/audit.ts';
import type { PlatformDependencies } from '../../../platform/dependencies.ts';
import { type Follower, MAX_TAKEN, type TakenEntries } from '../../../platform/traffic/log/live-log.ts';
import { createEntryMatcher, type LogFilter } from '../../../platform/traffic/log/log-filter.ts';
import { type OwnerNames, readOwnerNames } from '../../../platform/traffic/names.ts';
import type { TrafficLog } from '../../../platform/traffic/log/traffic-log.ts';
import { onRequestFinished } from '../../pipeline/in-flight-requests.ts';
import { requirePrincipal } from '../access/access.ts';
import { unwrapResult } from '../access/unwrap-result.ts';
import { toLogFilter, collectOwnerIds, resolveOrganisationFilter, toEntryJson } from './log-endpoints.ts';
import { OrganisationParams } from '../platform/platform-schema.ts';
import { ORGANISATIONS, createPlatformSchema } from '../platform/resource-paths.ts';
import * as shape from './traffic-schema.ts';

export const LINES_TYPE = 'application/x-ndjson';

/** An empty line is sent at this interval. It shows the client that the connection and its rights are still valid. */
const IDLE_MS = 15_000;
/** Entries are collected for this long, so that a busy log needs few queries for names. */
const COLLECT_MS = 200;
/** Ids are shown in place of names while the database does not answer. */
const IDS: OwnerNames = { organisation: (id) => id, team: (id) => id, key: (id) => id };

/** Registers the live log: of one organisation for its members, of all for the operator. */
export function registerLiveLog(
  root: FastifyInstance,
  platform: PlatformDependencies,
  log: TrafficLog,
  timers: Pick<Timers, 'after'> = SYSTEM_TIMERS,
): void {
  const app = root.withTypeProvider<TypeBoxTypeProvider>();
  const response = {
    200: {
      description: 'JSON objects, one a line, as requests are answered.',
      content: { [LINES_TYPE]: { schema: shape.LiveLogLine } },
    },
  };
  const follow = async (request: FastifyRequest, reply: FastifyReply, filter: LogFilter) => {
    const { organisation } = requirePrincipal(request);
    const matches = unwrapResult(await createEntryMatcher(filter));
    const follower = log.live.follow({ matches, party: organisation });
    if (follower === null)
      throw new Unavailable('Too many clients follow the log; end one, or try again later');
    onRequestFinished(request, reply, follower.end);
    const lines = streamLogLines({ follower, platform, request, timers });
    return reply.type(LINES_TYPE).send(Readable.from(lines, { objectMode: false, highWaterMark: 1 }));
  };
  // An open connection to the live log would keep the server from closing.
  app.addHook('preClose', async () => log.live.close());
  app.get(
    '/admin/v1/log/live',
    {
      schema: createPlatformSchema('Requests of all organisations to this instance, as they are answered', {
        querystring: shape.LiveLogQuery,
        response,
      }),
    },
    (request, reply) => follow(request, reply, toLogFilter(request.query)),
  );
  app.get(
    `${ORGANISATIONS}/:organisation/log/live`,
    {
      config: { right: 'organisation.read' },
      schema: createPlatformSchema('Requests of an organisation to this instance, as they are answered', {
        params: OrganisationParams,
        querystring: shape.OrganisationLiveLogQuery,
        response,
      }),
    },
    async (request, reply) => {
      const { params, query } = request;
      return follow(request, reply, await resolveOrganisationFilter(platform, params.organisation, query));
    },
  );
}

interface FollowedLog {
  readonly follower: Follower;
  readonly platform: PlatformDependencies;
  readonly request: FastifyRequest;
  readonly timers: Pick<Timers, 'after'>;
}

/** Yields the next line when the client has taken the previous one, so at most one line waits in the connection. */
async function* streamLogLines({ follower, platform, request, timers }: FollowedLog): AsyncGenerator<string> {
  const { letIn } = requirePrincipal(request);
  try {
    // The first line shows the client that it follows.
    yield formatLiveLine({ entries: [], missed: 0 }, IDS, null);
    while (true) {
      await waitWithin(follower.somethingWaits(), IDLE_MS, timers);
      if (follower.hasEnded) break;
      if (letIn !== null && !(await isStillLetIn(platform.store.db, letIn).catch(() => false))) {
        yield formatLiveLine(
          { entries: [], missed: 0 },
          IDS,
          'the rights of the member cannot be confirmed any more',
        );
        return;
      }
      const taken = follower.take();
      const names = await readOwnerNames(platform.store.db, collectOwnerIds(taken.entries)).catch(() => IDS);
      yield formatLiveLine(taken, names, null);
      const isBusy = taken.entries.length === MAX_TAKEN;
      if (!isBusy) await wait(COLLECT_MS, timers);
    }
    yield formatLiveLine({ entries: [], missed: 0 }, IDS, 'the instance stops');
  } finally {
    follower.end();
  }
}

function formatLiveLine({ entries, missed }: TakenEntries, names: OwnerNames, ended: string | null): string {
  const line: Static<typeof shape.LiveLogLine> = {
    entries: entries.map((entry) => toEntryJson(entry, names)),
    missed,
    ended,
  };
  return `${JSON.stringify(line)}\n`;
}
