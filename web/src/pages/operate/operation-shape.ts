import { type ShapeValue, shape } from '../../base/json-shape.ts';

const readPart = shape.object({
  name: shape.text,
  works: shape.flag,
  optional: shape.flag,
  reason: shape.nullable(shape.text),
  since: shape.number,
  checkedAt: shape.number,
  tookMs: shape.number,
  runbook: shape.text,
});

const readStore = shape.object({
  name: shape.text,
  kind: shape.text,
  part: shape.text,
  meaning: shape.text,
  bytes: shape.nullable(shape.number),
  latencyMicros: shape.nullable(shape.number),
  readAt: shape.nullable(shape.number),
});

const readNode = shape.object({
  name: shape.text,
  host: shape.text,
  meaning: shape.text,
  slots: shape.nullable(
    shape.object({
      processed: shape.whole,
      confirmed: shape.whole,
      finalized: shape.whole,
      blockhashAgeMs: shape.nullable(shape.number),
    }),
  ),
  calls: shape.nullable(
    shape.object({
      sent: shape.number,
      failed: shape.number,
      waiting: shape.number,
      lastFailure: shape.nullable(shape.object({ at: shape.number, reason: shape.text })),
      pausedUntil: shape.nullable(shape.number),
    }),
  ),
  webSocket: shape.nullable(
    shape.object({ isUp: shape.flag, since: shape.number, reason: shape.nullable(shape.text) }),
  ),
});

const readBudget = shape.object({
  name: shape.text,
  window: shape.text,
  spent: shape.nullable(shape.whole),
  limit: shape.whole,
  limitOfOne: shape.nullable(shape.whole),
  held: shape.nullable(shape.whole),
  atLimit: shape.text,
  readAt: shape.nullable(shape.number),
});

const readWallet = shape.object({
  names: shape.list(shape.text),
  address: shape.text,
  meaning: shape.text,
  lamports: shape.nullable(shape.whole),
  lastsSeconds: shape.nullable(shape.whole),
  budgets: shape.list(readBudget),
});

/** Reads the answer of `GET /admin/v1/operation`. */
export const readOperation = shape.object({
  instance: shape.object({
    name: shape.text,
    version: shape.text,
    startedAt: shape.number,
    now: shape.number,
    network: shape.text,
    isKeeper: shape.flag,
    isShared: shape.flag,
  }),
  works: shape.flag,
  parts: shape.list(readPart),
  changes: shape.list(
    shape.object({ part: shape.text, at: shape.number, reason: shape.nullable(shape.text) }),
  ),
  stores: shape.list(readStore),
  nodes: shape.list(readNode),
  streams: shape.list(
    shape.object({
      name: shape.text,
      meaning: shape.text,
      open: shape.number,
      limit: shape.nullable(shape.number),
    }),
  ),
  queues: shape.list(
    shape.object({
      name: shape.text,
      meaning: shape.text,
      waiting: shape.number,
      limit: shape.nullable(shape.number),
      lost: shape.nullable(shape.number),
    }),
  ),
  wallets: shape.list(readWallet),
  reserves: shape.list(
    shape.object({ name: shape.text, meaning: shape.text, microDollars: shape.nullable(shape.whole) }),
  ),
  landings: shape.nullable(
    shape.object({
      since: shape.number,
      outcomes: shape.list(shape.object({ outcome: shape.text, count: shape.number })),
      readAt: shape.number,
    }),
  ),
});

export type OperationView = ShapeValue<typeof readOperation>;
export type PartView = ShapeValue<typeof readPart>;
export type StoreView = ShapeValue<typeof readStore>;
export type NodeView = ShapeValue<typeof readNode>;
export type WalletView = ShapeValue<typeof readWallet>;
export type BudgetView = ShapeValue<typeof readBudget>;
