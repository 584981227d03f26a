import './products.css';
import { Link } from '@tanstack/react-router';
import { useInstance } from '../../api/instance.ts';
import { Page } from '../../parts/page.tsx';
import { EmptyNote, ErrorNote, Loading } from '../../parts/status.tsx';
import { listServedViews } from './frame/product-views.ts';

/** The views of the products that are served here. */
export function ProductsPage() {
  const { data: instance, error, refetch } = useInstance();
  return (
    <Page title="Products" lead="What each product knows, as pages: every one shows its raw answer too.">
      {instance === undefined ? (
        error === null ? (
          <Loading what="what runs here" />
        ) : (
          <ErrorNote error={error} onRetry={() => void refetch()} />
        )
      ) : (
        <ul className="product-views">
          {listServedViews(instance).map(({ to, label, description }) => (
            <li key={to}>
              <Link to={to} className="product-views__link">
                <span className="product-views__label">{label}</span>
                <span className="product-views__description">{description}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
      {instance !== undefined && listServedViews(instance).length === 0 ? (
        <EmptyNote>
          This instance serves no product that has a page. The <Link to="/reference">API reference</Link> has
          those that it serves.
        </EmptyNote>
      ) : null}
    </Page>
  );
}
