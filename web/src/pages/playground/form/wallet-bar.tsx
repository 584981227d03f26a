import './wallet-bar.css';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useInstance } from '../../../api/instance.ts';
import { requestFaucet } from '../../../api/network.ts';
import { AddressText } from '../../../parts/address-text.tsx';
import { Amount } from '../../../parts/amount.tsx';
import { Button } from '../../../parts/button.tsx';
import { ErrorNote } from '../../../parts/status.tsx';
import { useBalances, useThrowawayWallet } from '../../../wallet/use-throwaway-wallet.ts';
import { hasSigningWallet, replaceSigningWallet } from './own-wallet.ts';
import type { OperationFields, RequestForm } from './request-form.ts';

/** Offers the wallet of this browser for a form that names a wallet which signs, and money for it. */
export function WalletBar({
  fields,
  form,
  onChange,
}: {
  readonly fields: OperationFields;
  readonly form: RequestForm;
  readonly onChange: (form: RequestForm) => void;
}) {
  const { wallet } = useThrowawayWallet();
  const { data: instance } = useInstance();
  const demo = instance?.demoWallet ?? null;
  if (instance?.network.kind !== 'embedded' || instance.production || demo === null) return null;
  const own = wallet.kind === 'ready' ? wallet.key.address : null;
  if (own !== null && hasSigningWallet(fields, form, own)) return <OwnWallet address={own} />;
  if (!hasSigningWallet(fields, form, demo)) return null;
  return <OtherWallet onUse={(address) => onChange(replaceSigningWallet(fields, form, demo, address))} />;
}

function OwnWallet({ address }: { readonly address: string }) {
  const { data: balances } = useBalances(address);
  const faucet = useFaucet(address);
  return (
    <div className="wallet-bar">
      <p>
        Your throwaway wallet <AddressText address={address} /> signs it
        {balances === undefined ? (
          '.'
        ) : (
          <>
            ; it has <Amount raw={balances.lamports} decimals={9} symbol="SOL" />.
          </>
        )}
      </p>
      <Button busy={faucet.isPending} onClick={() => faucet.mutate()}>
        Ask the faucet
      </Button>
      {faucet.error === null ? null : <ErrorNote error={faucet.error} />}
    </div>
  );
}

function OtherWallet({ onUse }: { readonly onUse: (address: string) => void }) {
  const { wallet, create } = useThrowawayWallet();
  const use = useMutation({
    mutationFn: async () => {
      if (wallet.kind === 'ready') return wallet.key.address;
      const { address } = await create();
      // A new wallet can do nothing without money.
      await requestFaucet(address);
      return address;
    },
    onSuccess: onUse,
  });
  if (wallet.kind === 'unavailable') return <p className="wallet-bar">{wallet.reason}</p>;
  return (
    <div className="wallet-bar">
      <p>The form names the demo wallet, whose key this page does not have.</p>
      <Button busy={use.isPending} disabled={wallet.kind === 'loading'} onClick={() => use.mutate()}>
        Use my throwaway wallet
      </Button>
      {use.error === null ? null : <ErrorNote error={use.error} />}
    </div>
  );
}

function useFaucet(address: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => requestFaucet(address),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['balances'] }),
  });
}
