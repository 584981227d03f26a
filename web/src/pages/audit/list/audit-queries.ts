import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { ApiError } from '../../../api/call.ts';
import { useCredentialGeneration } from '../../../api/credentials.ts';
import { fetchRaw } from '../../../api/raw-query.ts';
import { readAnswer } from '../../../api/read-answer.ts';
import { type Scope, toScopePath } from '../../../api/scope.ts';
import { shape, type ShapeValue } from '../../../base/json-shape.ts';
import type { AuditSubject } from '../text/audit-subject.ts';

const PAGE = 100;
const readSide = (value: unknown): unknown => value ?? null;
const readEntry = shape.object({
  at: shape.number,
  actor: shape.text,
  origin: shape.text,
  action: shape.text,
  subject: shape.text,
  before: readSide,
  after: readSide,
});
const readAuditPage = shape.object({ entries: shape.list(readEntry), next: shape.nullable(shape.text) });
const readOrganisations = shape.object({ organisations: shape.list(shape.object({ slug: shape.text })) });
const readMakers = shape.object({ makers: shape.list(shape.object({ id: shape.text })) });
const readTeams = shape.object({ teams: shape.list(shape.object({ slug: shape.text })) });
const readKeys = shape.object({ keys: shape.list(shape.object({ team: shape.text, name: shape.text })) });
const readMembers = shape.object({ members: shape.list(shape.object({ name: shape.text })) });

/** An entry of the audit log. */
export type AuditLine = ShapeValue<typeof readEntry>;

/** Reads the audit log of a scope page by page, newest first. */
export function useAuditLog(scope: Scope, filters: Readonly<Record<string, string>>) {
  const path = toScopePath(scope, '/audit');
  return useInfiniteQuery({
    queryKey: ['audit', path, filters, useCredentialGeneration()],
    queryFn: async ({ pageParam, signal }) => {
      const cursor = pageParam === null ? {} : { cursor: pageParam };
      const query = new URLSearchParams({ ...filters, limit: `${PAGE}`, ...cursor });
      const raw = await fetchRaw<unknown>(`${path}?${query}`, 'admin', signal);
      return { raw, value: readAnswer('the audit log', readAuditPage, raw.answer) };
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ value }) => value.next,
    placeholderData: keepPreviousData,
    retry: (count, error) => count < 2 && !(error instanceof ApiError),
  });
}

/** What still exists, as far as the page leads there. A name is absent while it is not known. */
export interface ExistingSubjects {
  readonly has: (subject: AuditSubject) => boolean;
}

/** Reads what of the subjects of a scope still exists, so that no link leads to something that was deleted. */
export function useExistingSubjects(scope: Scope): ExistingSubjects {
  const generation = useCredentialGeneration();
  const { data: names } = useQuery({
    queryKey: ['audit-subjects', scope, generation],
    queryFn: () => (scope.kind === 'instance' ? readInstanceNames() : readOrganisationNames(scope)),
    staleTime: 10_000,
    retry: false,
  });
  return { has: (subject) => names?.has(nameSubject(subject)) === true };
}

async function readInstanceNames(): Promise<ReadonlySet<string>> {
  const names = await Promise.all([
    askNames('/admin/v1/organisations?limit=1000', readOrganisations, ({ organisations }) =>
      organisations.map(({ slug }) => `organisation ${slug}`),
    ),
    askNames('/admin/v1/makers', readMakers, ({ makers }) => makers.map(({ id }) => `maker ${id}`)),
  ]);
  return new Set(names.flat());
}

async function readOrganisationNames(scope: Scope & { kind: 'organisation' }): Promise<ReadonlySet<string>> {
  const { organisation } = scope;
  const names = await Promise.all([
    askNames(toScopePath(scope, '/teams?limit=1000'), readTeams, ({ teams }) =>
      teams.map(({ slug }) => `team ${organisation}/${slug}`),
    ),
    askNames(toScopePath(scope, '/keys?limit=1000'), readKeys, ({ keys }) =>
      keys.map(({ team, name }) => `key ${organisation}/${team}/${name}`),
    ),
    askNames(toScopePath(scope, '/members?limit=1000'), readMembers, ({ members }) =>
      members.map(({ name }) => `member ${organisation}/${name}`),
    ),
  ]);
  return new Set([`organisation ${organisation}`, ...names.flat()]);
}

/** In the scope of the instance, what is in an organisation leads to the organisation. */
function nameSubject(subject: AuditSubject): string {
  switch (subject.kind) {
    case 'organisation':
      return `organisation ${subject.organisation}`;
    case 'team':
    case 'firewall':
      return `team ${subject.organisation}/${subject.team}`;
    case 'key':
      return `key ${subject.organisation}/${subject.team}/${subject.key}`;
    case 'member':
      return `member ${subject.organisation}/${subject.member}`;
    case 'maker':
      return `maker ${subject.maker}`;
    default:
      return '';
  }
}

/** A list that cannot be read names nothing: its subjects are then no links. */
async function askNames<Value>(
  path: string,
  read: (value: unknown) => Value,
  toNames: (value: Value) => readonly string[],
): Promise<readonly string[]> {
  try {
    return toNames(readAnswer('a list', read, (await fetchRaw<unknown>(path, 'admin')).answer));
  } catch {
    return [];
  }
}
