import './lend.css';
import type { ReactNode } from 'react';
import { useInstance } from '../../../api/instance.ts';
import { AddressForm } from '../../../parts/address-form.tsx';
import { ChoiceBar } from '../../../parts/choice-bar.tsx';
import { Panel } from '../../../parts/page.tsx';
import { EmptyNote, Loading } from '../../../parts/status.tsx';
import { Tabs } from '../../../parts/tabs.tsx';
import { useThrowawayWallet } from '../../../wallet/use-throwaway-wallet.ts';
import { usePageSearch } from '../../../parts/page-search.ts';
import { ProductFrame } from '../frame/product-frame.tsx';
import { useViewedWallet } from '../frame/viewed-wallet.ts';
import { BorrowPositions } from './borrow/borrow-positions.tsx';
import { VaultTable } from './borrow/vault-table.tsx';
import { EarnPositions } from './earn/earn-positions.tsx';
import { EarnTokens } from './earn/earn-tokens.tsx';
import type { BorrowMarket } from './model/borrow.ts';

const MARKETS = [
  ['main', 'Main market'],
  ['ethena', 'Ethena market'],
] as const;

/** Deposits and loans of a wallet, and the terms of all vaults. */
export function LendPage() {
  const [search, setSearch] = usePageSearch();
  const { address, isLoading } = useViewedWallet(search.address);
  const market: BorrowMarket = search.market === 'ethena' ? 'ethena' : 'main';
  const withWallet = (content: (owner: string) => ReactNode) =>
    address !== null ? (
      content(address)
    ) : isLoading ? (
      <Loading what="the wallet" />
    ) : (
      <EmptyNote>Enter the address of a wallet to see what it has here.</EmptyNote>
    );
  return (
    <ProductFrame
      view="lend"
      lead="Deposits and what they earn, loans and how far they are from liquidation."
    >
      <Panel>
        <AddressForm
          value={address ?? search.address ?? null}
          onChange={(next) => setSearch({ address: next })}
        />
        {address === null ? null : <SignerNote address={address} />}
      </Panel>
      <Tabs
        label="The two products"
        initial={search.tab === 'borrow' ? 'borrow' : 'earn'}
        onChange={(tab) => setSearch({ tab: tab === 'earn' ? null : tab })}
        tabs={[
          {
            id: 'earn',
            label: 'Earn',
            content: (
              <div className="lend-panels">
                <Panel title="Deposits of the wallet">
                  {withWallet((owner) => (
                    <EarnPositions key={owner} address={owner} />
                  ))}
                </Panel>
                <Panel title="Tokens that can be deposited">
                  <EarnTokens signer={address} />
                </Panel>
              </div>
            ),
          },
          {
            id: 'borrow',
            label: 'Borrow',
            content: (
              <div className="lend-panels">
                <Panel
                  title="Loans of the wallet"
                  aside={
                    <ChoiceBar
                      label="Market"
                      choices={MARKETS}
                      chosen={market}
                      onChoose={(next) => setSearch({ market: next === 'main' ? null : next })}
                    />
                  }
                >
                  {withWallet((owner) => (
                    <BorrowPositions key={`${owner}-${market}`} address={owner} market={market} />
                  ))}
                </Panel>
                <Panel title="Vaults">
                  <VaultTable market={market} signer={address} />
                </Panel>
              </div>
            ),
          },
        ]}
      />
    </ProductFrame>
  );
}

/** Says who can sign what the links to the playground prepare. */
function SignerNote({ address }: { readonly address: string }) {
  const { data: instance } = useInstance();
  const { wallet } = useThrowawayWallet();
  const isOwn = wallet.kind === 'ready' && wallet.key.address === address;
  const isDemo = instance?.demoWallet === address;
  return (
    <p className="lend-note">
      Deposit, withdraw, borrow and repay open the request in the playground, filled in for this wallet.{' '}
      {isOwn
        ? 'There, the key of this browser signs what comes back.'
        : isDemo
          ? 'The playground of the admin port signs for the demo wallet.'
          : 'Its owner signs what comes back.'}{' '}
      SOL is taken from the account of wrapped SOL.
    </p>
  );
}
