import { useQuery } from '@tanstack/react-query';
import { useInstance } from '../../../api/instance.ts';
import { fetchRecentOf } from '../recent/recent-signatures.ts';
import { fetchShownAccount } from './shown-account.ts';

const REFRESH_MS = 4_000;

/** Reads an account, and on the embedded network again while it is looked at. */
export function useShownAccount(address: string) {
  const refresh = useNetworkRefresh();
  return useQuery({
    queryKey: ['shown-account', address],
    queryFn: () => fetchShownAccount(address),
    refetchInterval: refresh,
  });
}

/** Reads the last transactions that name an address. */
export function useRecentOf(address: string) {
  const refresh = useNetworkRefresh();
  return useQuery({
    queryKey: ['recent-transactions', address],
    queryFn: () => fetchRecentOf(address),
    refetchInterval: refresh,
  });
}

/**
 * Returns after how long a page reads the network again, if it was not refused. An outside RPC is asked once: its calls may be
 * paid for, and are counted.
 */
export function useNetworkRefresh(): (query: {
  readonly state: { readonly error: unknown };
}) => number | false {
  const { data: instance } = useInstance();
  const isEmbedded = instance?.network.kind === 'embedded';
  return ({ state }) => (isEmbedded && state.error === null ? REFRESH_MS : false);
}
