import './portfolio.css';
import { usePageSearch } from '../../../parts/page-search.ts';
import { ProductFrame } from '../frame/product-frame.tsx';
import { WalletPanel } from '../frame/wallet-panel.tsx';
import { PortfolioContent } from './portfolio-content.tsx';

/** What a wallet holds. */
export function PortfolioPage() {
  const [search, setSearch] = usePageSearch();
  return (
    <ProductFrame
      view="portfolio"
      lead="What a wallet holds, lends, owes and has open, over all platforms that are read."
    >
      <WalletPanel named={search.address} onChange={(address) => setSearch({ address })}>
        {(address) => <PortfolioContent key={address} address={address} />}
      </WalletPanel>
    </ProductFrame>
  );
}
