import { useParams } from '@tanstack/react-router';
import { Page } from '../../../parts/page.tsx';

/** One maker. */
export function MakerPage() {
  const { maker = '' } = useParams({ strict: false });
  return (
    <Page title="Maker" lead="One maker.">
      <p>{maker}</p>
    </Page>
  );
}
