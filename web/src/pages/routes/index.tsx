import { Page } from '../../parts/page.tsx';

export function RoutesPage() {
  return <Page title="Routes">{null}</Page>;
}
