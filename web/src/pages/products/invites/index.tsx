import { ProductFrame } from '../frame/product-frame.tsx';

/** Tokens sent by a link. */
export function InvitesPage() {
  return (
    <ProductFrame view="invites" lead="Tokens sent by a link, and whether they were claimed.">
      {null}
    </ProductFrame>
  );
}
