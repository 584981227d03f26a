/** Why a request did not reach its handler, or that it did. */
export const DECISIONS = [
  'admitted',
  'unauthorised',
  'no-access',
  'firewall-deny',
  'firewall-limit',
  'plan-limit',
  'unavailable',
] as const;
export type Decision = (typeof DECISIONS)[number];

/** Whose key a request came with. */
export interface EntryOwner {
  readonly organisationId: string;
  readonly teamId: string;
  readonly keyId: string;
}

/** What became of one request. No header, no body and no query is in it. */
export interface RequestEntry {
  readonly requestId: string;
  /** Unix milliseconds at which it was answered. */
  readonly at: number;
  /** Null without a key, or with one that is not known. */
  readonly owner: EntryOwner | null;
  readonly method: string;
  /** As it was sent, without the query, cut at 256 characters. */
  readonly path: string;
  /** The route that answered, as it was registered; empty where there is none. */
  readonly endpoint: string;
  readonly status: number;
  readonly decision: Decision;
  /** Null where no rule matched. */
  readonly firewall: {
    readonly outcome: string;
    readonly rule: string;
    readonly matched: readonly string[];
  } | null;
  readonly credits: number;
  /** Microseconds, whole: until the handler began, until it answered, and until the answer was sent. */
  readonly gatewayUs: number;
  readonly handlerUs: number;
  readonly sendUs: number;
  /** An IPv4 address or an IPv6 /64 network. */
  readonly client: string;
}
