import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { decodeBase64, encodeBase64 } from '../base/base64.ts';
import { fetchBalances } from './balances.ts';
import type { ThrowawayKey } from './key-store.ts';
import {
  createThrowawayKey,
  explainMissingFacilities,
  forgetThrowawayKey,
  getKeyFacilities,
  loadThrowawayKey,
  signTransaction,
} from './throwaway-key.ts';

const WALLET = ['throwaway-wallet'];

/** The wallet of this browser. Its key cannot be read, and is gone when it is forgotten. */
export type ThrowawayWallet =
  | { readonly kind: 'loading' }
  /** This browser can hold no key; the reason is a sentence for the reader. */
  | { readonly kind: 'unavailable'; readonly reason: string }
  | { readonly kind: 'absent' }
  | { readonly kind: 'ready'; readonly key: ThrowawayKey };

/** Returns the wallet of this browser, and what can be done with it. All parts of the page see the same one. */
export function useThrowawayWallet(): {
  readonly wallet: ThrowawayWallet;
  /** Makes the key unless there is one, and returns it. @throws Error with a reason for the reader */
  readonly create: () => Promise<ThrowawayKey>;
  readonly forget: () => Promise<void>;
} {
  const queryClient = useQueryClient();
  const { data = { kind: 'loading' } as const } = useQuery({
    queryKey: WALLET,
    queryFn: findWallet,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const show = (wallet: ThrowawayWallet) => queryClient.setQueryData(WALLET, wallet);
  const { mutateAsync: create } = useMutation({
    mutationFn: async () => {
      const reason = await explainMissingFacilities(getKeyFacilities());
      if (reason !== null) throw new Error(reason);
      const key = await createThrowawayKey();
      show({ kind: 'ready', key });
      return key;
    },
  });
  const { mutateAsync: forget } = useMutation({
    mutationFn: async () => {
      await forgetThrowawayKey();
      show({ kind: 'absent' });
    },
  });
  return { wallet: data, create: () => create(), forget: () => forget() };
}

async function findWallet(): Promise<ThrowawayWallet> {
  const reason = await explainMissingFacilities(getKeyFacilities());
  if (reason !== null) return { kind: 'unavailable', reason };
  try {
    const key = await loadThrowawayKey();
    return key === null ? { kind: 'absent' } : { kind: 'ready', key };
  } catch (error) {
    // Some browsers have a database that private windows may not open.
    const said = error instanceof Error ? error.message : String(error);
    return { kind: 'unavailable', reason: `This browser keeps no key: ${said}` };
  }
}

/** How soon a wallet without SOL is read again: what it was given arrives later, or comes from elsewhere. */
const EMPTY_AGAIN_MS = 2_000;

/** Returns what a wallet has; nothing is read while there is no address. */
export function useBalances(address: string | null) {
  return useQuery({
    queryKey: ['balances', address],
    queryFn: () => fetchBalances(address ?? ''),
    enabled: address !== null,
    refetchInterval: ({ state }) =>
      state.data !== undefined && state.data.lamports > 0n ? false : EMPTY_AGAIN_MS,
  });
}

/**
 * Signs a transaction that is written as base64, as endpoints answer it.
 *
 * @throws Error if it is no transaction, or needs no signature of the key; the message says why
 */
export async function signEncodedTransaction(key: ThrowawayKey, transaction: string): Promise<string> {
  const bytes = decodeBase64(transaction);
  if (bytes === null) throw new Error('The transaction is no base64.');
  return encodeBase64(await signTransaction(key, bytes));
}
