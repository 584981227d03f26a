import { escapeInvisible } from '../../../base/format-text.ts';
import { type OrderCause, PARTY_WORDS } from '../cause/order-cause.ts';

/** Why an order ended as it did: what happened, whose doing it was, who paid what, and what to do. */
export function CausePanel({ cause }: { readonly cause: OrderCause }) {
  const { tone, sentence, party, paid, advice } = cause;
  return (
    <section
      className={`order-cause order-cause--${tone}`}
      role="status"
      aria-label="What became of the order"
    >
      <p className="order-cause__sentence">{escapeInvisible(sentence)}</p>
      <dl className="order-cause__facts">
        <dt>Whose doing</dt>
        <dd>{PARTY_WORDS[party]}.</dd>
        <dt>Who paid</dt>
        <dd>{escapeInvisible(paid)}</dd>
        {advice === null ? null : (
          <>
            <dt>What to do</dt>
            <dd>{escapeInvisible(advice)}</dd>
          </>
        )}
      </dl>
    </section>
  );
}
