import { Page } from '../../parts/page.tsx';

/** The page of its path. */
export function OrganisationsPage() {
  return <Page title="Organisations">{null}</Page>;
}
