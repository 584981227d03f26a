import type { ReactNode } from 'react';
import { useInstance } from '../../../api/instance.ts';
import { Page } from '../../../parts/page.tsx';
import { EmptyNote, ErrorNote, Loading } from '../../../parts/status.tsx';
import { SubNavigation } from '../../../parts/sub-navigation.tsx';
import { isServedView, listServedViews, PRODUCT_VIEWS, type ProductViewName } from './product-views.ts';

/** The page of a view: the way to the other views, and its content where the product is served. */
export function ProductFrame({
  view,
  lead,
  wide = false,
  children,
}: {
  readonly view: ProductViewName;
  readonly lead?: ReactNode;
  /** Whether the page uses the whole width of the window. Default: false. */
  readonly wide?: boolean;
  readonly children: ReactNode;
}) {
  const { data: instance, error, refetch } = useInstance();
  const { label } = PRODUCT_VIEWS[view];
  if (instance === undefined) {
    return (
      <Page title={label} lead={lead} wide={wide}>
        {error === null ? (
          <Loading what="what runs here" />
        ) : (
          <ErrorNote error={error} onRetry={() => void refetch()} />
        )}
      </Page>
    );
  }
  return (
    <Page title={label} lead={lead} wide={wide}>
      <SubNavigation
        label="Products"
        pages={[{ to: '/products', label: 'All', exact: true }, ...listServedViews(instance)]}
      />
      {isServedView(instance, PRODUCT_VIEWS[view]) ? (
        children
      ) : (
        <EmptyNote>This instance does not serve the product that this page shows.</EmptyNote>
      )}
    </Page>
  );
}
