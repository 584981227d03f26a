/**
 * The report about a transaction that an organisation submitted. Times are Unix milliseconds; a time is null until the
 * event happens.
 */
export interface LandingReport {
  /** Base58. */
  readonly signature: string;
  /** The id of the organisation; null for callers without a key, who share one report. */
  readonly organisationId: string | null;
  /** The id of the first request that submitted it. */
  readonly requestId: string;
  readonly acceptedAt: number;
  readonly forwardedAt: number | null;
  readonly seenAt: number | null;
  readonly confirmedAt: number | null;
  readonly endedAt: number | null;
  /** The outcome; null until the landing has ended. */
  readonly outcome: string | null;
  readonly slot: bigint | null;
  readonly error: string | null;
  /** The name of the sender whose node was the first to show it in its block; null if that is not known. */
  readonly firstSeenBy: string | null;
  /** How many times it was sent since the organisation submitted it. */
  readonly sends: number;
}

/** What is needed to continue the landing after a restart. */
export interface OpenLanding {
  readonly wire: Uint8Array;
  readonly isDurable: boolean;
  readonly lastHeight: bigint;
}
