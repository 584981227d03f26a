import { Page } from '../../parts/page.tsx';

/** The makers that quote here. */
export function MakersPage() {
  return (
    <Page title="Makers" lead="The makers that quote on this instance.">
      {null}
    </Page>
  );
}
