import { shape, type ShapeValue } from '../../../base/json-shape.ts';

const text = shape.nullable(shape.text);
const atoms = shape.nullable(shape.whole);
const time = shape.nullable(shape.number);

const Execution = shape.object({
  begunAt: shape.number,
  endedAt: time,
  code: time,
  reason: text,
  signature: text,
  slot: atoms,
  totalInput: atoms,
  totalOutput: atoms,
});
const readOrder = shape.object({
  requestId: shape.text,
  at: shape.number,
  organisation: text,
  taker: text,
  receiver: text,
  inputMint: text,
  outputMint: text,
  swapMode: text,
  inAmount: atoms,
  outAmount: atoms,
  slippageBps: time,
  feeMint: text,
  feeAmount: atoms,
  router: text,
  maker: text,
  paidBy: text,
  payer: text,
  execution: shape.nullable(Execution),
});
const Side = shape.nullable(shape.object({ mint: shape.text, atoms: shape.whole }));
const Fill = shape.object({
  state: shape.text,
  offeredAt: time,
  answeredAt: time,
  lastLookMs: time,
  answer: text,
  endedAt: time,
  failure: text,
  signature: text,
  paid: Side,
  received: Side,
});
const bid = {
  requestId: shape.text,
  at: shape.number,
  maker: shape.text,
  channel: text,
  inputMint: text,
  outputMint: text,
  inAmount: atoms,
  outAmount: atoms,
  lost: text,
  detail: text,
  fill: shape.nullable(Fill),
};
const readBid = shape.object(bid);
const readFill = shape.object({ ...bid, organisation: text, taker: text });
const readRequest = shape.object({
  at: shape.number,
  requestId: shape.text,
  method: shape.text,
  path: shape.text,
  status: shape.number,
  decision: shape.text,
  order: shape.nullable(shape.object({ requestId: shape.text, code: time, signature: shape.text })),
});
const dropped = shape.optional(shape.number, 0);

/** An order of the ledger. Amounts are in smallest units. */
export type LedgerOrder = ShapeValue<typeof readOrder>;

/** A maker that was considered for an order. */
export type OrderBid = ShapeValue<typeof readBid>;

/** A fill that a maker was offered. */
export type FillRow = ShapeValue<typeof readFill>;

/** A request of the log that is about an order. */
export type OrderRequestEntry = ShapeValue<typeof readRequest>;

export const readOrders = shape.object({
  orders: shape.list(readOrder),
  next: text,
  dropped,
});
export const readFills = shape.object({ fills: shape.list(readFill), next: text, dropped });
export const readOrderDetail = shape.object({
  order: readOrder,
  makers: shape.nullable(shape.list(readBid)),
});
export const readOrderRequests = shape.object({ entries: shape.list(readRequest), next: text });
/** Of an order that waits, nothing but that it is there is shown here. */
export const readWaitingOrder = shape.object({
  order: shape.object({ id: shape.text, state: shape.text, wallet: shape.text, explanation: shape.text }),
});
