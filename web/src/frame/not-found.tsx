import { Link } from '@tanstack/react-router';
import { Page } from '../parts/page.tsx';

/** The page for an address of the portal at which there is none. */
export function NotFound() {
  return (
    <Page title="There is no such page">
      <p>
        The portal has no page at this address. <Link to="/">Go to the start page.</Link>
      </p>
    </Page>
  );
}
