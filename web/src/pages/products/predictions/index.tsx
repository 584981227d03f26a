import { ProductFrame } from '../frame/product-frame.tsx';

/** Events, markets and positions. */
export function PredictionsPage() {
  return (
    <ProductFrame view="predictions" lead="Events, their markets, and the positions of a wallet.">
      {null}
    </ProductFrame>
  );
}
