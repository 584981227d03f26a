import { useParams } from '@tanstack/react-router';
import type { Scope } from '../../api/scope.ts';

/** Returns the organisation that the address of the page names. */
export function useOrganisationScope(): Scope & { readonly kind: 'organisation' } {
  const { organisation = '' } = useParams({ strict: false });
  return { kind: 'organisation', organisation };
}
