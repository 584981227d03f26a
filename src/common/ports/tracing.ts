export type Attributes = Readonly<Record<string, string | number | boolean>>;

/** Something that takes time and is part of what the one who asked for it does. */
export interface Span {
  readonly set: (attributes: Attributes) => void;
  /** @param error when it failed */
  readonly end: (error?: unknown) => void;
  /** Calls `work`; spans that are begun in it, or in what it leads to later, are parts of this one. */
  readonly within: <T>(work: () => T) => T;
}

/**
 * Where rooms say what they spend time on, when somebody asked for it; they are given null otherwise, and then do
 * nothing. Names are few and known, and no attribute holds a key, a signature or anything else that is secret.
 */
export interface Tracing {
  /** A part of the span within which this is called, or a trace of its own. */
  readonly begin: (name: string, attributes?: Attributes) => Span;
}
