/** Whose requests, orders or changes a page shows: those of one organisation, or all of the instance. */
export type Scope =
  | { readonly kind: 'organisation'; readonly organisation: string }
  | { readonly kind: 'instance' };

export const INSTANCE_SCOPE: Scope = { kind: 'instance' };

/**
 * Returns the path of the admin interface for what a scope covers.
 * @param rest - Begins with a slash, such as `/log`.
 */
export function toScopePath(scope: Scope, rest: string): string {
  return scope.kind === 'instance'
    ? `/admin/v1${rest}`
    : `/admin/v1/organisations/${encodeURIComponent(scope.organisation)}${rest}`;
}
