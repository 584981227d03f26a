import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { callAdmin, sendAdmin } from '../../../api/admin.ts';
import { useCredentialGeneration } from '../../../api/credentials.ts';
import { toTeamPath } from '../../../api/organisations/use-organisations.ts';
import { readAnswer } from '../../../api/read-answer.ts';
import { readPreview, readRuleList, readTriedRequest } from './firewall-shapes.ts';
import type { RuleTermsJson } from './rule-draft.ts';

const FIREWALL = 'firewall';
const LIST_MS = 30_000;
/** How long the reader has to stop typing before a rule is tried again. */
const QUIET_MS = 350;

/** A team of an organisation, by their slugs. */
export interface FirewallTeam {
  readonly organisation: string;
  readonly team: string;
}

/** Reads the rules of a team, the oldest first. */
export function useRules({ organisation, team }: FirewallTeam) {
  const generation = useCredentialGeneration();
  return useQuery({
    queryKey: [FIREWALL, generation, organisation, team, 'rules'],
    queryFn: async () =>
      (
        await readAnswer(
          'the rules',
          readRuleList,
          await callAdmin(`${toTeamPath(organisation, team)}/rules`),
        )
      ).rules,
    refetchInterval: LIST_MS,
  });
}

/** What is tried with the newest requests: a rule, the team without one of its rules, or the rules as they are. */
export interface PreviewTerms {
  readonly rule: RuleTermsJson | null;
  readonly replaces: string | null;
  /** How many milliseconds back. */
  readonly rangeMs: number;
}

/**
 * Tries a rule with the newest requests of a team, a moment after the last change. What was found before stays until then.
 * @param terms - Null: there is nothing to try yet.
 */
export function usePreview({ organisation, team }: FirewallTeam, terms: PreviewTerms | null) {
  const generation = useCredentialGeneration();
  const wanted = terms === null ? null : JSON.stringify(terms);
  const settled = useSettled(wanted);
  const { data, error, isFetching, isPending, isPlaceholderData, refetch } = useQuery({
    queryKey: [FIREWALL, generation, organisation, team, 'preview', settled],
    queryFn: async ({ signal }) => {
      const { rule, replaces, rangeMs } = JSON.parse(settled ?? '') as PreviewTerms;
      const body = {
        since: Date.now() - rangeMs,
        ...(rule === null ? {} : { rule }),
        ...(replaces === null ? {} : { replaces }),
      };
      const answer = await callAdmin(`${toTeamPath(organisation, team)}/firewall-preview`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
        signal,
      });
      return readAnswer('what the rule would have done', readPreview, answer);
    },
    enabled: settled !== null,
    placeholderData: (before, query) => (query?.queryKey[3] === team ? before : undefined),
    gcTime: 60_000,
  });
  /** Whether it is about the terms as they are now, and not as they were before the last change. */
  const isCurrent = wanted !== null && wanted === settled && !isPending && !isPlaceholderData;
  return { data, error, isFetching, isCurrent, refetch };
}

/** Returns a text once it has not changed for a moment. */
function useSettled(text: string | null): string | null {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), QUIET_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return text === null ? null : settled;
}

/** A change of the rules of a team. */
export type RuleChange =
  | { readonly kind: 'add'; readonly name: string; readonly enabled: boolean; readonly terms: RuleTermsJson }
  | { readonly kind: 'edit'; readonly name: string; readonly enabled: boolean; readonly terms: RuleTermsJson }
  | { readonly kind: 'switch'; readonly name: string; readonly enabled: boolean }
  | { readonly kind: 'delete'; readonly name: string };

/** Changes the rules of a team. What is shown of them is read again. */
export function useRuleChange({ organisation, team }: FirewallTeam) {
  const client = useQueryClient();
  const rules = `${toTeamPath(organisation, team)}/rules`;
  return useMutation({
    mutationFn: async (change: RuleChange): Promise<void> => {
      const path = `${rules}/${encodeURIComponent(change.name)}`;
      if (change.kind === 'delete') await sendAdmin('DELETE', path);
      else if (change.kind === 'switch') await sendAdmin('PATCH', path, { enabled: change.enabled });
      else {
        const { name, enabled, terms } = change;
        if (change.kind === 'add') await sendAdmin('POST', rules, { name, enabled, ...terms });
        else await sendAdmin('PATCH', path, { enabled, ...terms });
      }
    },
    onSettled: () => client.invalidateQueries({ queryKey: [FIREWALL] }),
  });
}

/** A request that is described by hand. Empty: unknown. */
export interface DescribedRequest {
  readonly path: string;
  readonly method: string;
  readonly key: string;
  readonly ip: string;
  readonly country: string;
  readonly headerName: string;
  readonly headerValue: string;
}

/** Asks what the firewall, as it is saved, does with a described request. */
export function useRequestTrial({ organisation, team }: FirewallTeam) {
  return useMutation({
    mutationFn: async ({ headerName, headerValue, ...given }: DescribedRequest) => {
      const known = Object.entries(given).filter(([, text]) => text !== '');
      const headers = headerName === '' ? {} : { headers: { [headerName]: headerValue } };
      const answer = await sendAdmin('POST', `${toTeamPath(organisation, team)}/firewall-test`, {
        ...Object.fromEntries(known),
        ...headers,
      });
      return readAnswer('what the firewall does', readTriedRequest, answer);
    },
  });
}
