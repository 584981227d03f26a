import type { MakerView } from './cluster/cluster-makers.ts';
import type { WebhookView } from './webhooks/webhooks.ts';

/** What is known of a maker beside its view. */
export interface OrderProspects {
  /** The webhook of the maker; null if it has none. */
  readonly webhook: WebhookView | null;
  /** Whether it has a live order book, at any instance. */
  readonly hasBook: boolean;
  /** Why no book of any maker is used now; null if they are. */
  readonly bookObstacle: string | null;
}

/**
 * Returns why a maker gets no orders now, as a sentence without a full stop; null if it can get some. A maker with streams
 * and a webhook gets orders by either. The webhook is judged by what this instance has seen of it.
 */
export function findNoOrdersReason(
  view: MakerView,
  { webhook, hasBook, bookObstacle }: OrderProspects,
): string | null {
  const { record } = view.maker;
  if (!record.enabled) return 'the operator disabled the maker';
  // A maker that is asked needs no stream.
  if (webhook !== null && view.connected !== true) return findWebhookReason(webhook);
  const ofStreams = findNoBookReason(view, hasBook) ?? bookObstacle;
  if (webhook === null || ofStreams === null) return ofStreams;
  const ofWebhook = findWebhookReason(webhook);
  return ofWebhook === null ? null : `streams: ${ofStreams}; webhook: ${ofWebhook}`;
}

/**
 * Returns why no order book of a maker is in the market, as a sentence without a full stop; null if one is.
 * @param hasBook - Whether it has a live order book, at any instance.
 */
export function findNoBookReason({ maker, connected }: MakerView, hasBook: boolean): string | null {
  const { blockedBy, quoteProblem } = maker;
  if (blockedBy !== null) return blockedBy;
  if (connected === false) return 'its swap stream is not connected';
  if (connected === null)
    return 'whether its swap stream is connected is not known, because its instance does not answer';
  if (hasBook) return null;
  return (
    quoteProblem ?? 'it has no order book: it has sent none since it connected, or the last one has expired'
  );
}

function findWebhookReason({
  state,
  status,
  mints,
  tokensProblem,
  listsPair,
  obstacle,
  calls,
}: WebhookView): string | null {
  if (status === 'offline')
    return `${state.off ?? 'its webhook is off'}, and only the operator can enable it`;
  if (status === 'suspended' && state.suspendedUntil !== null) {
    const until = new Date(state.suspendedUntil).toISOString();
    const last = calls.problem === null ? '' : `; its last problem: ${calls.problem}`;
    return `its webhook missed swaps or did not answer, and is suspended until ${until}${last}`;
  }
  if (mints === null) {
    return tokensProblem === null
      ? 'the list of its tokens is being read'
      : `the list of its tokens cannot be read: ${tokensProblem}`;
  }
  if (listsPair === false) return `it lists ${mints} tokens, and among them no pair that it may quote`;
  if (calls.restsUntil !== null) return `its webhook fails: ${calls.problem ?? 'it does not answer'}`;
  if (obstacle !== null) return `its last quote could not be settled: ${obstacle}`;
  if (calls.quoted === 0 && calls.failed > 0 && calls.problem !== null)
    return `its webhook fails: ${calls.problem}`;
  if (calls.quoted === 0 && calls.declined > 0)
    return `it has declined all ${calls.declined} questions for quotes`;
  return null;
}
