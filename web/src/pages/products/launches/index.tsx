import { ProductFrame } from '../frame/product-frame.tsx';

/** Tokens that were launched here. */
export function LaunchesPage() {
  return (
    <ProductFrame view="launches" lead="Tokens that were launched here, and their curves.">
      {null}
    </ProductFrame>
  );
}
