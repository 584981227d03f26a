import { type QueryClient, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { ShapeReader } from '../../base/json-shape.ts';
import { callAdmin } from '../admin.ts';
import { useCredentialGeneration } from '../credentials.ts';
import { readAnswer } from '../read-answer.ts';
import { toScopePath } from '../scope.ts';
import * as shapes from './organisation-shapes.ts';

/** Counts of the last minute change all the time. */
const USE_MS = 5_000;
/** What a list needs is added up for each of its lines, so it is asked for less often. */
const LIST_MS = 30_000;
/** The longest page of a list. No team has more keys, and no organisation more teams or members. */
const PAGE = 1_000;

/** Reads organisations page by page, with what they use of their plans. For the operator only. */
export function useOrganisationList() {
  const generation = useCredentialGeneration();
  return useInfiniteQuery({
    queryKey: [QUERIES, generation],
    queryFn: async ({ pageParam }) =>
      readPage(
        'the organisations',
        shapes.readOrganisationPage,
        '/admin/v1/organisations?use=true',
        pageParam,
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    refetchInterval: LIST_MS,
  });
}

/** Reads an organisation and what it uses of its plan. */
export function useOrganisation(organisation: string) {
  return useOrganisationPart(
    organisation,
    'overview',
    'the organisation',
    shapes.readOrganisationView,
    '',
    USE_MS,
  );
}

/** Reads the teams of an organisation, by name, and how much each holds. */
export function useTeams(organisation: string) {
  return useOrganisationPart(
    organisation,
    'teams',
    'the teams',
    shapes.readTeamPage,
    `/teams?limit=${PAGE}`,
    LIST_MS,
  );
}

/** Reads the keys of one team or, page by page, those of all teams of an organisation. */
export function useKeys(organisation: string, team: string | null) {
  const generation = useCredentialGeneration();
  return useInfiniteQuery({
    queryKey: [QUERIES, generation, organisation, 'keys', team],
    queryFn: async ({ pageParam }) => {
      if (team === null) {
        const path = toScopePath({ kind: 'organisation', organisation }, `/keys?limit=${PAGE}`);
        return readPage('the keys', shapes.readOrganisationKeyPage, path, pageParam);
      }
      const path = `${toTeamPath(organisation, team)}/keys?limit=${PAGE}`;
      const { keys, next } = await readPage('the keys', shapes.readTeamKeyPage, path, pageParam);
      return { keys: keys.map((key) => ({ team, ...key })), next };
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    refetchInterval: LIST_MS,
  });
}

/** Reads the members of an organisation with their teams. */
export function useMembers(organisation: string) {
  const path = `/members?limit=${PAGE}`;
  return useOrganisationPart(organisation, 'members', 'the members', shapes.readMemberPage, path, LIST_MS);
}

/** Reads the pending invitations. @param isAllowed - Whether the reader may see them; otherwise nothing is asked. */
export function useInvitations(organisation: string, isAllowed: boolean) {
  const generation = useCredentialGeneration();
  return useQuery({
    queryKey: [QUERIES, generation, organisation, 'invitations'],
    queryFn: async () => {
      const path = toScopePath({ kind: 'organisation', organisation }, `/invitations?limit=${PAGE}`);
      return readAnswer('the invitations', shapes.readInvitationPage, await callAdmin(path));
    },
    enabled: isAllowed,
    refetchInterval: LIST_MS,
  });
}

/** Reads the plans with their limits, and the limits without a key. */
export function usePlans() {
  const generation = useCredentialGeneration();
  return useQuery({
    queryKey: [QUERIES, generation, 'plans'],
    queryFn: async () => readAnswer('the plans', shapes.readPlanLists, await callAdmin('/admin/v1/plans')),
  });
}

/** Returns the path of a team in the admin interface. */
export function toTeamPath(organisation: string, team: string): string {
  return toScopePath({ kind: 'organisation', organisation }, `/teams/${encodeURIComponent(team)}`);
}

/** Has every page ask again for what it shows of organisations, after one was changed. */
export function refreshOrganisations(client: QueryClient): Promise<void> {
  return client.invalidateQueries({ queryKey: [QUERIES] });
}

/** The beginning of the keys of all queries about organisations. */
const QUERIES = 'organisations';

/** Reads something of an organisation. A new credential asks again, and does not stand in the key. */
export function useOrganisationPart<Value>(
  organisation: string,
  name: string,
  what: string,
  read: ShapeReader<Value>,
  rest: string,
  everyMs: number,
) {
  const generation = useCredentialGeneration();
  return useQuery({
    queryKey: [QUERIES, generation, organisation, name, rest],
    queryFn: async () =>
      readAnswer(what, read, await callAdmin(toScopePath({ kind: 'organisation', organisation }, rest))),
    refetchInterval: everyMs,
  });
}

async function readPage<Page>(
  what: string,
  read: ShapeReader<Page>,
  path: string,
  cursor: string | null,
): Promise<Page> {
  const end = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
  return readAnswer(what, read, await callAdmin(path + end));
}
