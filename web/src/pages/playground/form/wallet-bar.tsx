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

/** What the faucet gives beside SOL. */
const USDC_MINT = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';

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
  const { wallet, create } = useThrowawayWallet();
  const { data: instance } = useInstance();
  const faucet = useFaucet();
  const demo = instance?.demoWallet ?? null;
  const begin = useMutation({
    mutationFn: async () => {
      if (wallet.kind === 'ready') return wallet.key.address;
      const { address } = await create();
      // A new wallet can do nothing without money. A refusal of the faucet is shown as its own.
      faucet.mutate(address);
      return address;
    },
    onSuccess: (address) => onChange(replaceSigningWallet(fields, form, demo ?? '', address)),
  });
  if (instance?.network.kind !== 'embedded' || instance.production || demo === null) return null;
  const own = wallet.kind === 'ready' ? wallet.key.address : null;
  const usesOwn = own !== null && hasSigningWallet(fields, form, own);
  if (!usesOwn && !hasSigningWallet(fields, form, demo)) return null;
  if (wallet.kind === 'unavailable') return <p className="wallet-bar">{wallet.reason}</p>;
  const error = begin.error ?? faucet.error;
  return (
    <div className="wallet-bar">
      {usesOwn ? (
        <>
          <OwnWallet address={own} />
          <Button busy={faucet.isPending} onClick={() => faucet.mutate(own)}>
            Ask the faucet
          </Button>
        </>
      ) : (
        <>
          <p>The form names the demo wallet, whose key this page does not have.</p>
          <Button busy={begin.isPending} disabled={wallet.kind === 'loading'} onClick={() => begin.mutate()}>
            Use my throwaway wallet
          </Button>
        </>
      )}
      {error === null ? null : <ErrorNote error={error} />}
    </div>
  );
}

function OwnWallet({ address }: { readonly address: string }) {
  const { data: balances } = useBalances(address);
  return (
    <p>
      Your throwaway wallet <AddressText address={address} /> signs it.
      {balances === undefined ? null : (
        <span className="wallet-bar__balance">
          {' '}
          It has <Amount raw={balances.lamports} decimals={9} symbol="SOL" />
          {[...balances.tokens].map(([mint, amount]) =>
            mint === USDC_MINT ? (
              <span key={mint}>
                {' '}
                and <Amount raw={amount} decimals={6} symbol="USDC" />
              </span>
            ) : null,
          )}
          .
        </span>
      )}
    </p>
  );
}

function useFaucet() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: requestFaucet,
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['balances'] }),
  });
}
