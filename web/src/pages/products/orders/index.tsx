import { ProductFrame } from '../frame/product-frame.tsx';

/** The orders of a wallet. */
export function OrdersPage() {
  return (
    <ProductFrame view="orders" lead="Limit orders and recurring orders of a wallet.">
      {null}
    </ProductFrame>
  );
}
