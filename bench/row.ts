/** One line of the performance table. */
export interface Row {
  readonly what: string;
  readonly measured: string;
  /** What it is measured against in the same run, when it is a ratio. */
  readonly against?: string;
  /** The figure that must be held, as the table prints it. */
  readonly atLeast?: string;
  /** Whether it is held; absent when nothing is demanded. */
  readonly ok?: boolean;
}

/** What each file of this folder exports. */
export interface Bench {
  readonly title: string;
  readonly run: () => Promise<readonly Row[]>;
}
