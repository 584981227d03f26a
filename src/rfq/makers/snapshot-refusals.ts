/** The conditions that a snapshot must meet, in the order in which they are checked. */
export const SNAPSHOT_REFUSALS = [
  'maker-id',
  'maker-address',
  'status',
  'swap-stream',
  'cluster',
  'pair',
  'token',
  'lot-size',
  'expiry',
  'levels',
  'sequence',
  'timestamp',
  'inventory',
] as const;
export type SnapshotRefusal = (typeof SNAPSHOT_REFUSALS)[number];
