import type { TradeReport } from './maker-trades.ts';

/** Something that happened to a maker and that its owner writes. Plain data, because it is sent between instances. */
export type MakerReport =
  | { readonly kind: 'filled' | 'missed'; readonly swapUuid: string }
  | {
      readonly kind: 'tampered';
      readonly swapUuid: string;
      /** As in `RecordedTransition`. */
      readonly evidence: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'reinstated' }
  | TradeReport;
