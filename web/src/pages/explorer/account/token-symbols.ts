import { useQuery } from '@tanstack/react-query';
import { callApi } from '../../../api/call.ts';
import { shortenAddress, shortenName } from '../../../base/format-text.ts';

const MAX_MINTS = 50;
const MAX_SYMBOL = 16;

/** Reads the symbols of mints. A mint without one is not in the map. Anybody may have chosen them. */
export function useTokenSymbols(mints: readonly string[]): ReadonlyMap<string, string> {
  const asked = [...new Set(mints)].toSorted().slice(0, MAX_MINTS);
  const { data } = useQuery({
    queryKey: ['token-symbols', asked],
    queryFn: () => fetchSymbols(asked),
    enabled: asked.length > 0,
    staleTime: 60_000,
  });
  return data ?? new Map();
}

async function fetchSymbols(mints: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const found = await callApi<unknown>(
    `/tokens/v2/search?${new URLSearchParams({ query: mints.join(',') })}`,
  );
  const symbols = new Map<string, string>();
  for (const token of Array.isArray(found) ? found : []) {
    const { id, symbol, isVerified } = token as Readonly<Record<string, unknown>>;
    const name = typeof symbol === 'string' ? shortenName(symbol, MAX_SYMBOL) : '';
    if (typeof id !== 'string' || name === '') continue;
    // Anybody may launch a token with the symbol of another one.
    symbols.set(id, isVerified === true ? name : `${name} ${shortenAddress(id)}`);
  }
  return symbols;
}
