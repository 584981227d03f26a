import { shape, type ShapeReader, type ShapeValue } from '../../../base/json-shape.ts';

const time = shape.number;
const MintToken = shape.object({
  mint: shape.text,
  decimals: shape.number,
  symbol: shape.nullable(shape.text),
});
const Level = shape.object({ price: shape.whole, volume: shape.whole, free: shape.whole });
const Book = shape.object({
  base: MintToken,
  quote: MintToken,
  bids: shape.list(Level),
  asks: shape.list(Level),
  reserved: shape.object({ base: shape.whole, quote: shape.whole }),
  sequenceNumber: shape.nullable(shape.text),
  receivedAt: shape.nullable(time),
  expiresAt: time,
  isCrossed: shape.flag,
  notUsed: shape.nullable(shape.text),
});

/** The books that a maker has in the market. Prices are atoms of the quote token for a whole base token. */
export const readBooks = shape.object({
  maker: shape.text,
  /** When the server answered, by its clock. */
  at: time,
  notUsed: shape.nullable(shape.text),
  lastProblem: shape.nullable(shape.text),
  total: shape.number,
  books: shape.list(Book),
});
export type MakerBooks = ShapeValue<typeof readBooks>;
export type MakerBook = MakerBooks['books'][number];
export type BookLine = MakerBook['bids'][number];

const counts = {
  state: shape.text,
  windowMs: shape.number,
  minimumSwaps: shape.number,
  thresholdPercent: shape.number,
  filled: shape.number,
  swaps: shape.number,
  missesLeft: shape.nullable(shape.number),
  suspendedUntil: shape.nullable(time),
};
const Breaker = shape.object({ ...counts, suspensionMs: shape.number });
const WebhookBreaker = shape.object({ ...counts, suspensionsMs: shape.list(shape.number) });
/** What the breakers of streams and of webhooks have in common. */
export type BreakerCounts = Omit<ShapeValue<typeof Breaker>, 'suspensionMs'>;
export type StreamBreaker = ShapeValue<typeof Breaker>;
export type WebhookBreaker = ShapeValue<typeof WebhookBreaker>;
const StatusChange = shape.object({ at: time, from: shape.text, to: shape.text, cause: shape.text });
export type MakerStatusChange = ShapeValue<typeof StatusChange>;

const Webhook = shape.object({
  url: shape.text,
  status: shape.text,
  why: shape.nullable(shape.text),
  suspendedUntil: shape.nullable(time),
  mints: shape.nullable(shape.number),
  swaps: shape.object({ filled: shape.number, missed: shape.number, excused: shape.number }),
  calls: shape.object({
    asked: shape.number,
    quoted: shape.number,
    declined: shape.number,
    failed: shape.number,
    lastAnswerAt: shape.nullable(time),
    problem: shape.nullable(shape.text),
    restsUntil: shape.nullable(time),
  }),
});
export type MakerWebhook = ShapeValue<typeof Webhook>;

const line = {
  id: shape.text,
  name: shape.nullable(shape.text),
  address: shape.text,
  pairs: shape.nullable(shape.list(shape.text)),
  enabled: shape.flag,
  status: shape.text,
  blockedBy: shape.nullable(shape.text),
  noOrders: shape.nullable(shape.text),
  connected: shape.nullable(shape.flag),
  instance: shape.nullable(shape.text),
  tampered: shape.flag,
  suspendedUntil: shape.nullable(time),
  lastSequenceNumber: shape.text,
  webhook: shape.nullable(Webhook),
};

/** A maker as the operator's list has it. */
export const readMakerLine = shape.object(line);
export type OperatorMakerLine = ShapeValue<typeof readMakerLine>;
export const readMakerList = shape.object({ makers: shape.list(readMakerLine) });
/** The answer that shows the key of a maker, this once. */
export const readNewMaker = shape.object({ id: shape.text, key: shape.text });

/** What both the operator and the maker see of it. */
export interface MakerStatusView {
  readonly id: string;
  readonly name: string | null;
  readonly address: string;
  readonly status: string;
  readonly blockedBy: string | null;
  readonly noOrders: string | null;
  readonly connected: boolean | null;
  readonly tampered: boolean;
  readonly suspendedUntil: number | null;
  readonly lastSequenceNumber: string;
  readonly breaker: StreamBreaker | null;
  /** Null without a webhook. */
  readonly webhookBreaker: WebhookBreaker | null;
  readonly changes: readonly MakerStatusChange[];
  /** What the operator alone sees; null for the maker itself. */
  readonly operator: OperatorMakerView | null;
}

const conduct = {
  breaker: shape.nullable(Breaker),
  webhookBreaker: shape.nullable(WebhookBreaker),
  changes: shape.optional(shape.list(StatusChange), []),
};
const OperatorStatus = shape.object({
  ...line,
  ...conduct,
  accepted: shape.number,
  rejected: shape.record(shape.number),
  swaps: shape.object({ filled: shape.number, missed: shape.number, tampered: shape.number }),
  orders: shape.object({ considered: shape.number, won: shape.number }),
  volume: shape.object({ microDollars: shape.whole }),
});
export type OperatorMakerView = ShapeValue<typeof OperatorStatus>;
const OwnStatus = shape.object({
  maker: shape.text,
  name: shape.nullable(shape.text),
  address: shape.text,
  status: shape.text,
  blockedBy: shape.nullable(shape.text),
  noOrders: shape.nullable(shape.text),
  connected: shape.nullable(shape.flag),
  tampered: shape.flag,
  suspendedUntil: shape.nullable(time),
  lastSequenceNumber: shape.text,
  ...conduct,
});

export const readOperatorStatus: ShapeReader<MakerStatusView> = (value) => {
  const status = OperatorStatus(value);
  return { ...status, operator: status };
};

export const readOwnStatus: ShapeReader<MakerStatusView> = (value) => {
  const { maker, ...status } = OwnStatus(value);
  return { ...status, id: maker, operator: null };
};

const LastLookTimes = shape.object({ upToMs: shape.nullable(shape.number), answers: shape.number });
const Behind = shape.object({ upToBps: shape.nullable(shape.number), orders: shape.number });
const Interval = shape.object({
  at: time,
  considered: shape.number,
  won: shape.number,
  offered: shape.number,
  filled: shape.number,
});

/** What a maker did in a range of time. */
export const readMakerConduct = shape.object({
  since: time,
  until: time,
  isComplete: shape.flag,
  considered: shape.number,
  won: shape.number,
  lost: shape.list(shape.object({ reason: shape.text, orders: shape.number })),
  fills: shape.list(shape.object({ state: shape.text, fills: shape.number })),
  lastLook: shape.nullable(
    shape.object({
      answers: shape.number,
      p50: shape.number,
      p90: shape.number,
      p95: shape.number,
      p99: shape.number,
      max: shape.number,
    }),
  ),
  volume: shape.list(shape.object({ mint: shape.text, paid: shape.whole, received: shape.whole })),
  microDollars: shape.whole,
  behind: shape.optional(shape.list(Behind), []),
  behindUnknown: shape.optional(shape.number, 0),
  lostTo: shape.optional(shape.list(shape.object({ winner: shape.text, orders: shape.number })), []),
  lastLookTimes: shape.optional(shape.list(LastLookTimes), []),
  answers: shape.nullable(
    shape.object({
      signed: shape.number,
      accepted: shape.number,
      rejected: shape.number,
      unanswered: shape.number,
      tampered: shape.number,
    }),
  ),
  interval: shape.nullable(shape.number),
  overTime: shape.optional(shape.list(Interval), []),
});
export type MakerConduct = ShapeValue<typeof readMakerConduct>;
