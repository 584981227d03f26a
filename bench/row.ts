/** One line of the performance table. */
export interface Row {
  readonly what: string;
  readonly measured: string;
  /** For a ratio: what the figure is measured against in the same run. */
  readonly against?: string;
  /** The demanded figure, as the table prints it. */
  readonly atLeast?: string;
  /** Whether the demand is held; absent if there is none. */
  readonly ok?: boolean;
}

/** The exports of each bench. */
export interface Bench {
  readonly title: string;
  readonly run: () => Promise<readonly Row[]>;
}
