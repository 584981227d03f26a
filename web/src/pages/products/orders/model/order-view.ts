/** An order as the page shows it, whichever interface lists it. Texts of answers are shown as texts. */
export interface OrderView {
  /** The address of its account, or its id. */
  readonly id: string;
  readonly source: OrderSource;
  /** In words, such as `take profit or stop loss`. */
  readonly kind: string;
  readonly inputMint: string;
  readonly outputMint: string;
  /** What it sells in all, in smallest units; null if the answer does not say it. */
  readonly sells: bigint | null;
  readonly sold: bigint | null;
  /** What has been paid for that. */
  readonly received: bigint | null;
  readonly state: string;
  readonly tone: 'plain' | 'accent' | 'good' | 'warning' | 'danger';
  readonly isOpen: boolean;
  readonly terms: readonly OrderTerm[];
  /** Unix milliseconds. */
  readonly createdAt: number | null;
  readonly expiresAt: number | null;
  /** The newest first. */
  readonly events: readonly OrderEvent[];
  /** How the playground cancels it; null if it cannot be cancelled. */
  readonly cancel: OrderCancel | null;
}

/** Which interface lists an order. */
export type OrderSource = 'limit' | 'recurring' | 'waiting' | 'rounds';

/** One of the conditions of an order. */
export type OrderTerm =
  /** It sells at this price or a better one: what it wants for what it sells. */
  | { readonly kind: 'limit'; readonly making: bigint; readonly taking: bigint }
  /** It waits until a token costs that much, in dollars with `TRIGGER_DECIMALS`. */
  | {
      readonly kind: 'trigger';
      readonly label: string | null;
      readonly mint: string;
      readonly condition: 'above' | 'below';
      readonly price: bigint;
      /** Whether the order still waits for it. */
      readonly isLive: boolean;
    }
  /** The trigger follows the price at this distance. */
  | { readonly kind: 'trailing'; readonly bps: bigint }
  /** It sells a part at regular times. */
  | {
      readonly kind: 'rounds';
      readonly perRound: bigint;
      readonly seconds: bigint;
      readonly count: bigint | null;
    }
  /** What a round may bring, in smallest units of the output; null for no bound. */
  | {
      readonly kind: 'bounds';
      readonly perRound: bigint;
      readonly least: bigint | null;
      readonly most: bigint | null;
    }
  /** Rounds are filled between two prices of a token in dollars; null for no bound. */
  | {
      readonly kind: 'range';
      readonly mint: string;
      readonly least: bigint | null;
      readonly most: bigint | null;
    }
  | { readonly kind: 'next'; readonly at: number };

/** Digits behind the point of a price in dollars. */
export const TRIGGER_DECIMALS = 24;

/** Something that happened to an order. */
export interface OrderEvent {
  readonly what: string;
  readonly isFailed: boolean;
  readonly at: number | null;
  /** Null where nothing landed, or nobody knows it. */
  readonly signature: string | null;
  readonly sold: bigint | null;
  readonly received: bigint | null;
  /** The mints of the two amounts where they are not those of the order. */
  readonly outputMint: string | null;
}

/** An operation of the playground with the values of its form. */
export interface OrderCancel {
  readonly operationId: string;
  readonly search: Readonly<Record<string, string>>;
}
