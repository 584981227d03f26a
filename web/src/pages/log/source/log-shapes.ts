import { shape, type ShapeValue } from '../../../base/json-shape.ts';

/** Reads an entry of the request log. */
export const readLogEntry = shape.object({
  at: shape.number,
  requestId: shape.text,
  organisation: shape.nullable(shape.text),
  team: shape.nullable(shape.text),
  key: shape.nullable(shape.text),
  client: shape.text,
  country: shape.nullable(shape.text),
  asn: shape.nullable(shape.number),
  host: shape.text,
  referrer: shape.text,
  userAgent: shape.text,
  method: shape.text,
  path: shape.text,
  query: shape.text,
  endpoint: shape.text,
  status: shape.number,
  decision: shape.text,
  firewall: shape.nullable(
    shape.object({ outcome: shape.text, rule: shape.text, matched: shape.list(shape.text) }),
  ),
  credits: shape.number,
  bytesReceived: shape.number,
  bytesSent: shape.number,
  order: shape.nullable(
    shape.object({
      requestId: shape.text,
      router: shape.text,
      code: shape.nullable(shape.number),
      signature: shape.text,
    }),
  ),
  latency: shape.object({
    total: shape.number,
    gateway: shape.number,
    handler: shape.number,
    send: shape.number,
  }),
});

/** A request of the log. Its texts are what anybody has sent. */
export type LoggedRequest = ShapeValue<typeof readLogEntry>;

/** Reads a page of the request log. */
export const readLogPage = shape.object({
  entries: shape.list(readLogEntry),
  next: shape.nullable(shape.text),
  dropped: shape.number,
});
