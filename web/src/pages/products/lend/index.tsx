import { ProductFrame } from '../frame/product-frame.tsx';

/** What a wallet lent and borrowed. */
export function LendPage() {
  return (
    <ProductFrame view="lend" lead="Deposits, loans and their health.">
      {null}
    </ProductFrame>
  );
}
