import { Page } from '../../parts/page.tsx';

export function StartPage() {
  return <Page title="Start">{null}</Page>;
}
