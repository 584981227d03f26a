import { useQuery } from '@tanstack/react-query';
import { callAdmin } from '../../../api/admin.ts';
import { useCredentialGeneration } from '../../../api/credentials.ts';
import { readAnswer } from '../../../api/read-answer.ts';
import { toScopePath } from '../../../api/scope.ts';
import { findKeyCreators, readKeyEntries } from './key-history.ts';

/** The longest page of the audit log. Keys that were created before it have an unknown creator. */
const ENTRIES = 1_000;

/** Reads who created the keys of an organisation. @param isAllowed - Whether the reader may see the audit log. */
export function useKeyCreators(organisation: string, isAllowed: boolean): ReadonlyMap<string, string> | null {
  const generation = useCredentialGeneration();
  const { data } = useQuery({
    queryKey: ['organisations', generation, organisation, 'key-creators'],
    queryFn: async () => {
      const path = toScopePath(
        { kind: 'organisation', organisation },
        `/audit?action=api_key&limit=${ENTRIES}`,
      );
      return findKeyCreators(readAnswer('the audit log', readKeyEntries, await callAdmin(path)).entries);
    },
    enabled: isAllowed,
  });
  return data ?? null;
}
