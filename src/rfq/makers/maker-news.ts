import type { TradeNews } from './maker-trades.ts';

/** What happened to a maker, for whoever writes it down. Plain data: it may have happened at another instance. */
export type MakerNews =
  | { readonly kind: 'filled' | 'missed'; readonly swapUuid: string }
  | {
      readonly kind: 'tampered';
      readonly swapUuid: string;
      /** As `RecordedTransition` has it. */
      readonly evidence: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'reinstated' }
  | TradeNews;
