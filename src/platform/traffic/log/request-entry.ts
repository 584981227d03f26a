/** Whether a request reached its handler, and if not, why. */
export const DECISIONS = [
  'admitted',
  'unauthorised',
  'no-access',
  'firewall-deny',
  'firewall-limit',
  'plan-limit',
  'unavailable',
] as const;
export type RequestDecision = (typeof DECISIONS)[number];

/** What the firewall can do with a request that a rule matches. */
export const FIREWALL_OUTCOMES = ['bypass', 'deny', 'limit', 'allow', 'log'] as const;

/** The most characters that the log keeps of each text. Longer ones are cut. */
export const LOGGED_LENGTHS = { path: 256, host: 128, userAgent: 256, referrer: 256, query: 512 } as const;

/** What the log has in place of a secret. */
export const REDACTED = '[redacted]';

/** The key that a request came with, and whose it is. */
export interface EntryOwner {
  readonly organisationId: string;
  readonly teamId: string;
  readonly keyId: string;
}

/** The order that a request gave out or executed. */
export interface EntryOrder {
  /** The id of the order, which is not that of the request that executes it. */
  readonly requestId: string;
  /** Empty if no such order is known. */
  readonly router: string;
  /** The code of the execution; null if the request gave the order out, or failed without an answer. */
  readonly code: number | null;
  /** Base58; empty while the fee payer has not signed. */
  readonly signature: string;
}

/**
 * What the log keeps of one request. Every text has a maximum length and secrets are masked. Bodies are not logged.
 */
export interface RequestEntry {
  readonly requestId: string;
  /** Unix milliseconds at which the request was answered. */
  readonly at: number;
  /** Null without a key, or with an unknown key. */
  readonly owner: EntryOwner | null;
  readonly method: string;
  /** The path as it was sent, without the query, cut to 256 characters. */
  readonly path: string;
  /** The pattern of the route that answered; empty when there is none. */
  readonly endpoint: string;
  readonly status: number;
  readonly decision: RequestDecision;
  /** Null when no rule matched. */
  readonly firewall: {
    readonly outcome: string;
    readonly rule: string;
    readonly matched: readonly string[];
  } | null;
  readonly credits: number;
  /** Whole microseconds: until the handler began, until it answered, and until the answer was sent. */
  readonly gatewayUs: number;
  readonly handlerUs: number;
  readonly sendUs: number;
  /** An IPv4 address, or an IPv6 /64 network. */
  readonly client: string;
  /** An ISO 3166 code; null when the country is unknown. */
  readonly country: string | null;
  /** The number of the client's autonomous system; null when it is unknown. */
  readonly asn: number | null;
  /** The headers as they were sent, cut to 128 and 256 characters; empty when they were not sent. */
  readonly host: string;
  readonly referrer: string;
  readonly userAgent: string;
  /** Without the question mark, cut to 512 characters; empty without a query. */
  readonly query: string;
  /** Sizes of the request and response bodies in bytes. */
  readonly bytesReceived: number;
  readonly bytesSent: number;
  /** Null if the request is about no order. */
  readonly order: EntryOrder | null;
}
