import { useQuery } from '@tanstack/react-query';
import { ApiError, fetchText, withApiKey } from '../../../../api/call.ts';
import { nameCredential, useCredential } from '../../../../api/credentials.ts';
import { usePace } from '../../../../api/pace.ts';
import { readRawAnswer } from '../../../../api/raw-query.ts';

/** The token of a wallet that has signed in, among the credentials of this tab: the playground uses the same one. */
export const WALLET_TOKEN = nameCredential('public', 'Bearer');

/** Asks a path again and again with the token of the wallet that has signed in; without one, nothing is asked. */
export function useSignedQuery(path: string, refetchMs: number) {
  const [token] = useCredential(WALLET_TOKEN);
  const pace = usePace(refetchMs);
  return useQuery({
    queryKey: ['signed', token, path],
    queryFn: async ({ signal }) => {
      const headers = { authorization: `Bearer ${token}` };
      const { response, text } = await fetchText(path, withApiKey({ headers, signal }));
      return readRawAnswer({ side: 'public', path, response, text });
    },
    enabled: token !== '',
    // A token that is refused will be refused again.
    retry: (failures, error) => !isSignedOut(error) && failures < 2,
    refetchInterval: ({ state }) => (isSignedOut(state.error) ? false : pace),
  });
}

/** Whether the token has ended, or is none. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401;
}
