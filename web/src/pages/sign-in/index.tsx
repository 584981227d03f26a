import { Page } from '../../parts/page.tsx';

/** The page of its path. */
export function SignInPage() {
  return <Page title="Sign in">{null}</Page>;
}
