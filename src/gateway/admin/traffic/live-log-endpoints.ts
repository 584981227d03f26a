import { Readable } from 'node:stream';
import type { Static } from 'typebox';
import { SYSTEM_TIMERS, wait, waitWithin } from '../../../common/ports/timers.ts';
import { Unavailable } from '../../../common/unavailable.ts';
import { type Authentication, isStillLetIn } from '../../../platform/audit/audit.ts';
import type { PlatformDependencies } from '../../../platform/dependencies.ts';
import { type Follower, MAX_TAKEN, type TakenEntries } from '../../../platform/traffic/log/live-log.ts';
import { createEntryMatcher, type LogFilter } from '../../../platform/traffic/log/log-filter.ts';
import { type OwnerNames, readOwnerNames } from '../../../platform/traffic/names.ts';
import type { Principal } from '../access/access.ts';
import { unwrapResult } from '../access/unwrap-result.ts';
import { defineAdminEndpoint, StreamedAnswer } from '../endpoint/admin-endpoint.ts';
import {
  collectOwnerIds,
  resolveInstanceFilter,
  resolveOrganisationFilter,
  toEntryJson,
} from './log-endpoints.ts';
import { OrganisationParams } from '../platform/platform-schema.ts';
import { ORGANISATIONS } from '../platform/resource-paths.ts';
import * as shape from './traffic-schema.ts';
import type { TrafficServices } from './traffic-services.ts';

const LINES_TYPE = 'application/x-ndjson';

/** An empty line is sent at this interval. It shows the client that the connection and its rights are still valid. */
const IDLE_MS = 15_000;
/** Entries are collected for this long, so that a busy log needs few queries for names. */
const COLLECT_MS = 200;
/** Ids are shown in place of names while the database does not answer. */
const IDS: OwnerNames = { organisation: (id) => id, team: (id) => id, key: (id) => id };

/** The last line of a log whose reader may not follow it any more, as far as is known. */
const ENDED_TEXT = 'the session, or the rights of the member, cannot be confirmed any more';

const LINES = {
  description: 'JSON objects, one a line, as requests are answered.',
  content: { [LINES_TYPE]: { schema: shape.LiveLogLine } },
};

const liveLogOfAll = defineAdminEndpoint({
  method: 'GET',
  path: '/admin/v1/log/live',
  summary: 'Requests of all organisations to this instance, as they are answered',
  query: shape.LiveLogQuery,
  responses: { 200: LINES },
  handle: async (services: TrafficServices, request) =>
    follow(
      services,
      request.requirePrincipal(),
      await resolveInstanceFilter(services.platform, request.query),
    ),
});

const liveLogOfOrganisation = defineAdminEndpoint({
  method: 'GET',
  path: `${ORGANISATIONS}/:organisation/log/live`,
  right: 'organisation.read',
  summary: 'Requests of an organisation to this instance, as they are answered',
  params: OrganisationParams,
  query: shape.OrganisationLiveLogQuery,
  responses: { 200: LINES },
  handle: async (services: TrafficServices, { params, query, requirePrincipal }) => {
    const filter = await resolveOrganisationFilter(services.platform, params.organisation, query);
    return follow(services, requirePrincipal(), filter);
  },
});

/** The live log: of one organisation for its members, of all for the operator. */
export const LIVE_LOG_ENDPOINTS = [liveLogOfAll, liveLogOfOrganisation];

/** @throws Unavailable when too many clients follow the log */
async function follow(
  { platform, log }: TrafficServices,
  { organisation, letIn, session }: Principal,
  filter: LogFilter,
): Promise<StreamedAnswer> {
  const matches = unwrapResult(await createEntryMatcher(filter));
  const follower = log.live.follow({ matches, party: organisation });
  if (follower === null)
    throw new Unavailable('Too many clients follow the log; end one, or try again later');
  const authentication = { letIn, session: session?.id ?? null };
  const lines = Readable.from(streamLogLines({ follower, platform, authentication }), {
    objectMode: false,
    highWaterMark: 1,
  });
  return new StreamedAnswer(LINES_TYPE, lines, follower.end);
}

interface FollowedLog {
  readonly follower: Follower;
  readonly platform: PlatformDependencies;
  /** What has to hold for as long as the log is followed. */
  readonly authentication: Authentication;
}

/** Yields the next line when the client has taken the previous one, so at most one line waits in the connection. */
async function* streamLogLines({ follower, platform, authentication }: FollowedLog): AsyncGenerator<string> {
  try {
    // The first line shows the client that it follows.
    yield formatLiveLine({ entries: [], missed: 0 }, IDS, null);
    while (true) {
      await waitWithin(follower.somethingWaits(), IDLE_MS, SYSTEM_TIMERS);
      if (follower.hasEnded) break;
      if (!(await isStillLetIn(platform.store.db, authentication, platform.now()).catch(() => false))) {
        yield formatLiveLine({ entries: [], missed: 0 }, IDS, ENDED_TEXT);
        return;
      }
      const taken = follower.take();
      const names = await readOwnerNames(platform.store.db, collectOwnerIds(taken.entries)).catch(() => IDS);
      yield formatLiveLine(taken, names, null);
      const isBusy = taken.entries.length === MAX_TAKEN;
      if (!isBusy) await wait(COLLECT_MS, SYSTEM_TIMERS);
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
