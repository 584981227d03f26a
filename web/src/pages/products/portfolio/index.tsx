import { ProductFrame } from '../frame/product-frame.tsx';

/** What a wallet holds. */
export function PortfolioPage() {
  return (
    <ProductFrame view="portfolio" lead="What a wallet holds and has in protocols.">
      {null}
    </ProductFrame>
  );
}
