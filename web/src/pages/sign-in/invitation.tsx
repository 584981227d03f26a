import { Page } from '../../parts/page.tsx';

/** The page of its path. */
export function InvitationPage() {
  return <Page title="Invitation">{null}</Page>;
}
