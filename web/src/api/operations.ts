import { callApi } from './call.ts';
import type { AdminOperations } from './generated/admin-api.ts';
import type { PublicOperations } from './generated/public-api.ts';

type PortalOperations = PublicOperations & AdminOperations;

/** What an operation takes. What takes nothing may be left out. */
type OperationInput<Operation extends { path: unknown; query: unknown; body: unknown }> = {
  readonly path?: Operation['path'];
  readonly query?: Operation['query'];
} & (Operation['body'] extends undefined
  ? { readonly body?: undefined }
  : { readonly body: Operation['body'] }) &
  (Record<never, never> extends Operation['path'] ? unknown : { readonly path: Operation['path'] }) &
  (Record<never, never> extends Operation['query'] ? unknown : { readonly query: Operation['query'] });

/**
 * Calls an operation of the API by its method and path, with the types of the OpenAPI document.
 *
 * @throws as `callApi`
 * @example
 * ```ts
 * import { callOperation } from './operations.ts';
 *
 * await callOperation('GET /price/v3', { query: { ids: 'So11111111111111111111111111111111111111112' } });
 * ```
 */
export function callOperation<Name extends keyof PortalOperations & string>(
  name: Name,
  input: OperationInput<PortalOperations[Name]>,
  options: { readonly headers?: Readonly<Record<string, string>>; readonly signal?: AbortSignal } = {},
): Promise<PortalOperations[Name]['answer']> {
  const [method = '', template = ''] = name.split(' ');
  const {
    path = {},
    query = {},
    body,
  } = input as {
    readonly path?: Readonly<Record<string, unknown>>;
    readonly query?: Readonly<Record<string, unknown>>;
    readonly body?: unknown;
  };
  const filled = template.replaceAll(/\{([^}]+)\}/g, (_, hole: string) =>
    encodeURIComponent(String(path[hole])),
  );
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const search = new URLSearchParams(given.map(([key, value]) => [key, String(value)])).toString();
  return callApi(search === '' ? filled : `${filled}?${search}`, {
    ...options,
    method,
    ...(body === undefined
      ? {}
      : { headers: { ...options.headers, 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
}
