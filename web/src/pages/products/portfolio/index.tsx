import './portfolio.css';
import { AddressForm } from '../../../parts/address-form.tsx';
import { Panel } from '../../../parts/page.tsx';
import { EmptyNote, Loading } from '../../../parts/status.tsx';
import { usePageSearch } from '../../../parts/page-search.ts';
import { ProductFrame } from '../frame/product-frame.tsx';
import { useViewedWallet } from '../frame/viewed-wallet.ts';
import { PortfolioContent } from './portfolio-content.tsx';

/** What a wallet holds. */
export function PortfolioPage() {
  const [search, setSearch] = usePageSearch();
  const { address, isLoading } = useViewedWallet(search.address);
  return (
    <ProductFrame
      view="portfolio"
      lead="What a wallet holds, lends, owes and has open, over all platforms that are read."
    >
      <Panel>
        <AddressForm value={address} onChange={(next) => setSearch({ address: next })} />
      </Panel>
      {address !== null ? (
        <PortfolioContent key={address} address={address} />
      ) : isLoading ? (
        <Loading what="the wallet" />
      ) : (
        <EmptyNote>Enter the address of a wallet to see what it has.</EmptyNote>
      )}
    </ProductFrame>
  );
}
