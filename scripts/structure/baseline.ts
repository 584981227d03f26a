/** Figures of an earlier commit, by the names of the counts. */
export interface Baseline {
  readonly commit: string;
  /** The day on which this script measured a checkout of the commit. */
  readonly measuredOn: string;
  readonly counts: Readonly<Record<string, string>>;
}

/**
 * Measured with `npm run structure -- --root` and the folder of a checkout of the commit. There, the venues were folders of
 * `src/market/venues`. That of Jupiter Lend was called `lending`, as another folder of `src/`, so that its files were found by
 * the label and by imports alone.
 */
export const BASELINE: Baseline = {
  commit: '77c7168b',
  measuredOn: '2026-11-27',
  counts: {
    'pairs of folders that import each other': '57',
    'cycles of files by imports of values': '2',
    'shared files that name Jupiter Lend': '5',
    'shared files that name Meteora DAMM v2': '7',
    'shared files that name Raydium CP': '7',
    'shared files that name Saber': '8',
    'shared files that name Sanctum': '8',
    'shared files that name Whirlpool': '7',
    'product landing': '12 files, 564 lines',
    'product lend': '42 files, 3,963 lines',
    'product portfolio': '39 files, 3,086 lines',
    'product price': '12 files, 879 lines',
    'product swap': '90 files, 9,123 lines',
    'product tokens': '23 files, 2,143 lines',
    'product ultra': '29 files, 2,541 lines',
    'exported type names declared in several files': '72',
    'type names declared in several files': '132',
    'functions whose name ends with Of': '422',
    'classes of errors': '43',
    'functions that give a reason as text or null': '88',
    'lines before the first test, median': '41',
    'files called by an order': '86',
    'files called by a request for an order': '154',
  },
};
