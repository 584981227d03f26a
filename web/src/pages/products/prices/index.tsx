import { ProductFrame } from '../frame/product-frame.tsx';

/** Prices as candles. */
export function PricesPage() {
  return (
    <ProductFrame view="prices" lead="The prices of tokens as candles.">
      {null}
    </ProductFrame>
  );
}
