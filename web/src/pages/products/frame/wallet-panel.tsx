import { AddressText } from '../../../parts/address-text.tsx';
import { AddressForm } from '../../../parts/address-form.tsx';
import { Panel } from '../../../parts/page.tsx';
import { EmptyNote, Loading } from '../../../parts/status.tsx';
import type { ReactNode } from 'react';
import { useViewedWallet } from './viewed-wallet.ts';

/** Asks which wallet a page is about, and shows what it has of it. */
export function WalletPanel({
  named,
  onChange,
  children,
}: {
  /** The member `address` of the page's query. */
  readonly named: string | undefined;
  /** Called with the address of another wallet. */
  readonly onChange: (address: string) => void;
  /** Called with the address of the wallet that is looked at. */
  readonly children: (address: string) => ReactNode;
}) {
  const { address, isLoading } = useViewedWallet(named);
  return (
    <>
      <Panel>
        <AddressForm value={address ?? named ?? null} onChange={onChange} />
        {address === null ? null : (
          <p className="wallet-panel__shown">
            Shown: <AddressText address={address} />
          </p>
        )}
      </Panel>
      {address !== null ? (
        children(address)
      ) : isLoading ? (
        <Loading what="the wallet of this browser" />
      ) : named === undefined ? (
        <EmptyNote>Enter the address of a wallet, or make one for this browser on the Start page.</EmptyNote>
      ) : (
        <EmptyNote>The address of this page names no wallet: enter another one above.</EmptyNote>
      )}
    </>
  );
}
