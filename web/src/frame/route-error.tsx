import type { ErrorComponentProps } from '@tanstack/react-router';
import { Button } from '../parts/button.tsx';
import { Page } from '../parts/page.tsx';

/** Shown instead of a page that could not be loaded, or that has a defect. */
export function RouteError({ error }: ErrorComponentProps) {
  return (
    <Page title="This page could not be shown">
      <p role="alert">{error instanceof Error ? error.message : String(error)}</p>
      <p>If Sluice was stopped or replaced by another version since the page was loaded, load it again.</p>
      <Button onClick={() => window.location.reload()}>Load again</Button>
    </Page>
  );
}
