import { shape, type ShapeReader, type ShapeValue } from '../../../base/json-shape.ts';

const Side = shape.object({ mint: shape.text, atoms: shape.whole });
const fill = {
  state: shape.text,
  offeredAt: shape.nullable(shape.number),
  answeredAt: shape.nullable(shape.number),
  lastLookMs: shape.nullable(shape.number),
  answer: shape.nullable(shape.text),
  endedAt: shape.nullable(shape.number),
  failure: shape.nullable(shape.text),
  signature: shape.nullable(shape.text),
  paid: shape.nullable(Side),
  received: shape.nullable(Side),
  microDollars: shape.nullable(shape.whole),
};
const bid = {
  requestId: shape.text,
  at: shape.number,
  channel: shape.nullable(shape.text),
  inputMint: shape.nullable(shape.text),
  outputMint: shape.nullable(shape.text),
  detail: shape.nullable(shape.text),
};
const OperatorBid = shape.object({
  ...bid,
  lost: shape.nullable(shape.text),
  taker: shape.nullable(shape.text),
  fill: shape.nullable(shape.object(fill)),
});
const OwnBid = shape.object({
  ...bid,
  reason: shape.nullable(shape.text),
  fill: shape.nullable(shape.object({ ...fill, taker: shape.nullable(shape.text) })),
});

/** An order for which the maker was considered, as the operator and the maker both see it. */
export type MakerBid = ShapeValue<typeof OperatorBid>;

/** A page of orders, and the cursor of the next one. */
export interface BidPage {
  readonly bids: readonly MakerBid[];
  readonly next: string | null;
}

const OperatorPage = shape.object({ fills: shape.list(OperatorBid), next: shape.nullable(shape.text) });
const OwnPage = shape.object({ orders: shape.list(OwnBid), next: shape.nullable(shape.text) });

export const readOperatorFills: ShapeReader<BidPage> = (value) => {
  const { fills, next } = OperatorPage(value);
  return { bids: fills, next };
};

export const readOwnOrders: ShapeReader<BidPage> = (value) => {
  const { orders, next } = OwnPage(value);
  const bids = orders.map(({ reason, ...order }) => ({
    ...order,
    lost: reason,
    taker: order.fill?.taker ?? null,
  }));
  return { bids, next };
};
