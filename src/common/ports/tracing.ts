export type Attributes = Readonly<Record<string, string | number | boolean>>;

/** A part of a trace. */
export interface Span {
  readonly set: (attributes: Attributes) => void;
  /** @param error - The reason, when the work failed. */
  readonly end: (error?: unknown) => void;
  /** Calls `work`. Spans that begin in it, or in asynchronous work that it starts, become children of this span. */
  readonly within: <T>(work: () => T) => T;
}

/**
 * The port for traces. Rooms receive null when tracing is off. Span names come from a small fixed set, and attributes
 * never contain secrets such as keys or signatures.
 */
export interface Tracing {
  /** Begins a child of the current span, or a new trace when there is none. */
  readonly begin: (name: string, attributes?: Attributes) => Span;
}
