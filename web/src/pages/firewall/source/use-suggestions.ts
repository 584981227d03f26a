import { useMemo } from 'react';
import { useInstance } from '../../../api/instance.ts';
import { useKeys } from '../../../api/organisations/use-organisations.ts';
import { useApiModel } from '../../../openapi/use-api-model.ts';
import type { FirewallTeam } from './use-firewall.ts';

/** What the instance has that a condition could name. */
export interface Suggestions {
  /** Beginnings of paths: of products, and of their endpoints. */
  readonly paths: readonly string[];
  /** The keys of the team. */
  readonly keys: readonly string[];
}

/** Returns what conditions of a team could name. Empty while it is not known. */
export function useSuggestions({ organisation, team }: FirewallTeam): Suggestions {
  const { data: instance } = useInstance();
  const { data: model } = useApiModel('public');
  const { data: pages } = useKeys(organisation, team);
  const paths = useMemo(() => {
    const products = instance?.products.map(({ basePath }) => basePath) ?? [];
    const endpoints = [...(model?.operations.values() ?? [])].map(({ path }) => path.replace(/\{.*$/, ''));
    return [...new Set([...products, ...endpoints])].filter((path) => path.length > 1).sort();
  }, [instance, model]);
  return { paths, keys: pages?.pages.flatMap(({ keys }) => keys.map(({ name }) => name)) ?? [] };
}
