import { useQuery } from '@tanstack/react-query';
import { callAdmin, sendAdmin } from '../../../api/admin.ts';
import { useInstance } from '../../../api/instance.ts';
import { signEncodedTransaction, useThrowawayWallet } from '../../../wallet/use-throwaway-wallet.ts';
import { useCredentialGeneration } from '../../../api/credentials.ts';
import { can, useSession } from '../../../api/session.ts';

/** A wallet with which this page can sign. */
export interface TransactionSigner {
  readonly id: string;
  /** As it stands in a sentence. */
  readonly name: string;
  readonly address: string;
  /** @throws Error with the reason if it does not sign */
  readonly sign: (transaction: string) => Promise<string>;
}

interface SandboxWallets {
  readonly wallets: readonly { readonly name: string; readonly address: string }[];
}

/**
 * Returns the wallets with which a transaction can be signed: the throwaway wallet of this browser, and on the admin port
 * those of the sandbox, if the operator is signed in or the credential was entered.
 *
 * @param addresses - The addresses whose signatures the transaction needs.
 */
export function useSigners(addresses: readonly string[]): readonly TransactionSigner[] {
  const { wallet } = useThrowawayWallet();
  const { data: instance } = useInstance();
  const generation = useCredentialGeneration();
  const isOperator = can(useSession(), 'instance.write');
  const hasSandbox = instance?.controls === true && isOperator;
  const { data: sandbox } = useQuery({
    queryKey: ['sandbox-wallets', generation],
    queryFn: () => callAdmin<SandboxWallets>('/admin/v1/network/wallets'),
    enabled: hasSandbox,
  });
  const own: readonly TransactionSigner[] =
    wallet.kind === 'ready'
      ? [
          {
            id: 'throwaway',
            name: 'your throwaway wallet',
            address: wallet.key.address,
            sign: (transaction) => signEncodedTransaction(wallet.key, transaction),
          },
        ]
      : [];
  const others = (hasSandbox ? (sandbox?.wallets ?? []) : []).map(
    ({ name, address }): TransactionSigner => ({
      id: `sandbox ${name}`,
      name: `the sandbox wallet ${name}`,
      address,
      sign: async (transaction) => {
        const path = `/admin/v1/network/wallets/${encodeURIComponent(name)}/sign`;
        const signed = await sendAdmin<{ readonly transaction: string }>('POST', path, { transaction });
        return signed.transaction;
      },
    }),
  );
  return [...own, ...others].filter(({ address }) => addresses.includes(address));
}
