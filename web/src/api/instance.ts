import { useQuery } from '@tanstack/react-query';
import { ApiError, callApi } from './call.ts';

const OVER_LIMIT = 429;
/** How long the page waits before it asks again when its caller is over a limit. */
const RETRY_MS = 5_000;

/** What the running instance says of itself. */
export interface InstanceInfo {
  readonly version: string;
  /** The port that the page came from. */
  readonly port: 'rest' | 'admin';
  readonly production: boolean;
  /** Whether callers without a key are refused. */
  readonly requiresKey: boolean;
  readonly network: { readonly kind: 'embedded'; readonly genesis: string } | { readonly kind: 'rpc' };
  /** Addresses that only matter on the same machine are null for callers from elsewhere. */
  readonly urls: {
    readonly rest: string;
    readonly admin: string | null;
    readonly grpc: string;
    readonly rpc: string | null;
    readonly ws: string | null;
  };
  readonly demoWallet: string | null;
  readonly products: readonly {
    readonly name: string;
    readonly description: string;
    readonly basePath: string;
  }[];
  /** Whether this page may control the embedded network. */
  readonly controls: boolean;
}

/** Reads what the instance is, once: it does not change while it runs. */
export function useInstance() {
  return useQuery({
    queryKey: ['instance'],
    queryFn: () => callApi<InstanceInfo>('/portal/data/instance'),
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state: { error } }) => (isOverLimit(error) ? RETRY_MS : false),
  });
}

/** Whether the network is one to try things on, which pages may read and ask as often as they want. Unknown: it may not be. */
export function isSandbox(instance: Pick<InstanceInfo, 'network' | 'production'> | undefined): boolean {
  return instance?.network.kind === 'embedded' && !instance.production;
}

/** Whether a request was refused because its caller has sent too many. */
export function isOverLimit(error: unknown): boolean {
  return error instanceof ApiError && error.status === OVER_LIMIT;
}

/** Returns where the documentation site is: on the REST port only. */
export function useDocsUrl(): string {
  const { data } = useInstance();
  return data?.port === 'admin' ? `${data.urls.rest}/docs` : '/docs';
}
