import { useQuery } from '@tanstack/react-query';
import { callInSession, withAdminCredential } from './admin.ts';
import { useCredentialGeneration } from './credentials.ts';
import type { AdminOperations } from './generated/admin-api.ts';
import { callOperation } from './operations.ts';

/** The answer of an operation of the admin interface. */
export type AdminAnswer<Name extends keyof AdminOperations> = AdminOperations[Name]['answer'];

/** Calls an operation of the admin interface by its method and path, with the session of this browser or the credential of this tab. @throws as `callApi` */
export function callAdminOperation<Name extends keyof AdminOperations & string>(
  name: Name,
  input: Parameters<typeof callOperation<Name>>[1],
): Promise<AdminAnswer<Name>> {
  return callInSession(withAdminCredential({}), ({ headers }) =>
    callOperation(name, input, { headers: Object.fromEntries(new Headers(headers).entries()) }),
  );
}

/** Names of operations of the admin interface that need no input. */
type PlainRead = {
  [Name in keyof AdminOperations]: Name extends `GET ${string}{${string}`
    ? never
    : Name extends `GET ${string}`
      ? Name
      : never;
}[keyof AdminOperations];

/**
 * Reads an operation of the admin interface that takes nothing.
 * @param refetchMs - After how long it is read again while the page is seen. Default: never.
 */
export function useAdminAnswer<Name extends PlainRead>(name: Name, refetchMs?: number) {
  const generation = useCredentialGeneration();
  return useQuery({
    queryKey: ['admin', name, generation],
    queryFn: () =>
      callAdminOperation(name, {} as Parameters<typeof callOperation<Name>>[1]) as Promise<AdminAnswer<Name>>,
    refetchInterval: refetchMs ?? false,
  });
}
