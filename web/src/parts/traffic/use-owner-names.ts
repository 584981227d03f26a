import { useQuery } from '@tanstack/react-query';
import { callAdminOperation } from '../../api/admin-operations.ts';
import { useCredentialGeneration } from '../../api/credentials.ts';

const STALE_MS = 30_000;

/**
 * Returns the teams of an organisation, and the keys of a team of it, by name. Empty while they are not known.
 * @param organisation - Its slug; empty: none is chosen.
 * @param team - Its slug; empty: none is chosen.
 */
export function useOwnerNames(
  organisation: string,
  team: string,
): { readonly teams: readonly string[]; readonly keys: readonly string[] } {
  const generation = useCredentialGeneration();
  const { data: teams } = useQuery({
    queryKey: ['owner-names', generation, organisation],
    queryFn: async () => {
      const answer = await callAdminOperation('GET /admin/v1/organisations/{organisation}/teams', {
        path: { organisation },
      });
      return answer.teams.map(({ slug }) => slug);
    },
    enabled: organisation !== '',
    staleTime: STALE_MS,
    retry: false,
  });
  const { data: keys } = useQuery({
    queryKey: ['owner-names', generation, organisation, team],
    queryFn: async () => {
      const answer = await callAdminOperation(
        'GET /admin/v1/organisations/{organisation}/teams/{team}/keys',
        {
          path: { organisation, team },
        },
      );
      return answer.keys.map(({ name }) => name);
    },
    enabled: organisation !== '' && team !== '',
    staleTime: STALE_MS,
    retry: false,
  });
  return { teams: teams ?? [], keys: keys ?? [] };
}
