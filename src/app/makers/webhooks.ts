import type { Metrics } from '../../common/ports/metrics.ts';
import { SYSTEM_TIMERS, type Timers } from '../../common/ports/timers.ts';
import { keepWebhookFills } from '../../rfq/records/recorded-fills.ts';
import { type FillNotes, noteWebhookFills } from '../../rfq/records/noted-fills.ts';
import type { OrderLedger } from '../../swaps/ledger/order-ledger.ts';
import type { Prices } from '../../market/prices/prices.ts';
import { keepWebhooks } from '../../rfq/records/recorded-webhooks.ts';
import { forgetOldWebhookFills } from '../../rfq/records/webhook-fill-rows.ts';
import type { RecordMarketChange } from '../../store/audited-change.ts';
import { type WebhookFillRecords, Webhooks } from '../../rfq/index.ts';
import type { MakerTrades } from '../../rfq/makers/maker-trades.ts';
import type { MakerMeters } from '../../rfq/makers/maker-meters.ts';
import type { TextSealer } from '../../common/ports/text-sealer.ts';
import { WEBHOOK_CONDUCT } from '../../rfq/webhooks/conduct.ts';
import type { Store } from '../../store/index.ts';

export interface OpenWebhooksOptions {
  readonly store: Store;
  /** Milliseconds that makers have for a quote. */
  readonly quoteMs: number;
  readonly allowsPrivate: boolean;
  /** Decrypts the keys of webhooks. */
  readonly sealer: TextSealer;
  readonly recordChange: RecordMarketChange;
  /** Measures the deadlines of makers. */
  readonly deadlines: Timers;
  readonly metrics: Metrics;
  readonly meters: MakerMeters;
  /** Counts the volume of fills that landed. */
  readonly trades: Pick<MakerTrades, 'traded'>;
  /** Notes the fills by webhook. */
  readonly ledger: OrderLedger;
  readonly dollarsPerAtom: Prices['dollarsPerAtom'];
  readonly onDefect: (where: string, error: unknown) => void;
}

/** The makers that are asked by webhook, joined with the database. */
export interface OpenWebhooks {
  readonly makers: Webhooks;
  readonly records: WebhookFillRecords;
}

export async function openWebhooks(options: OpenWebhooksOptions): Promise<OpenWebhooks> {
  const {
    store,
    sealer,
    quoteMs,
    allowsPrivate,
    deadlines,
    metrics,
    meters,
    trades,
    ledger,
    dollarsPerAtom,
    onDefect,
  } = options;
  await forgetOldWebhookFills(store, SYSTEM_TIMERS.now());
  const makers = new Webhooks({
    store: keepWebhooks(
      store,
      sealer,
      (error) => onDefect('the key of a webhook', error),
      options.recordChange,
    ),
    timers: { now: SYSTEM_TIMERS.now, after: deadlines.after },
    policy: WEBHOOK_CONDUCT,
    quoteMs,
    allowsPrivate,
    metrics,
    meters,
    onDefect,
  });
  await makers.refresh();
  const onUnreadable = (error: unknown) => onDefect('the record of a fill by webhook', error);
  const kept = keepWebhookFills(store, SYSTEM_TIMERS.now, onUnreadable);
  return { makers, records: noteWebhookFills(kept, countVolume(ledger, trades), dollarsPerAtom) };
}

/** Counts what fills moved in the statistics of their makers, as fills over streams are counted. */
function countVolume(ledger: OrderLedger, trades: OpenWebhooksOptions['trades']): FillNotes {
  return {
    offered: (order, makerId, at) => ledger.offered(order, makerId, at),
    answered: (requestId, makerId, answer) => ledger.answered(requestId, makerId, answer),
    filled: (order, makerId, end) => {
      ledger.filled(order, makerId, end);
      const { volume, answer } = end;
      if (volume != null && answer.kind === 'succeeded') {
        const { paid, received, microDollars } = volume;
        trades.traded(makerId, {
          signature: answer.signature,
          paid: { mint: order.outputMint, atoms: paid.atoms },
          received: { mint: order.inputMint, atoms: received.atoms },
          microDollars,
        });
      }
    },
  };
}
