import { createRootRoute } from '@tanstack/react-router';
import { Frame } from './frame/frame.tsx';
import { NotFound } from './frame/not-found.tsx';
import { RouteError } from './frame/route-error.tsx';

/** What all pages stand in. */
export const rootRoute = createRootRoute({
  component: Frame,
  notFoundComponent: NotFound,
  errorComponent: RouteError,
});
