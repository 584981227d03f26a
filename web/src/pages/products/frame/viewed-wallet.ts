import { useInstance } from '../../../api/instance.ts';
import { isAddress } from '../../../base/is-address.ts';
import { useThrowawayWallet } from '../../../wallet/use-throwaway-wallet.ts';

/** Which wallet a page is about, and why. */
export interface ViewedWallet {
  /** Null: none is known yet, or the address names none. */
  readonly address: string | null;
  readonly isLoading: boolean;
}

/**
 * Returns the wallet that a page is about: the one that the address of the page names, or else that of this browser, or else the
 * demo wallet.
 *
 * @param named - The member `address` of the page's query.
 */
export function useViewedWallet(named: string | undefined): ViewedWallet {
  const { data: instance, isPending } = useInstance();
  const { wallet } = useThrowawayWallet();
  if (named !== undefined) return { address: isAddress(named) ? named : null, isLoading: false };
  if (wallet.kind === 'ready') return { address: wallet.key.address, isLoading: false };
  return {
    address: wallet.kind === 'loading' ? null : (instance?.demoWallet ?? null),
    isLoading: wallet.kind === 'loading' || isPending,
  };
}
