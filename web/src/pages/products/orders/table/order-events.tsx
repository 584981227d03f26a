import { useState } from 'react';
import type { KnownTokens } from '../../../../api/known-tokens.ts';
import { formatUtcTime } from '../../../../base/format-time.ts';
import { AddressText } from '../../../../parts/address-text.tsx';
import { MintAmount } from '../../frame/mint-amount.tsx';
import type { OrderEvent, OrderView } from '../model/order-view.ts';

/** Events that are shown before the others are asked for. */
const FIRST_EVENTS = 3;
/** Events that are shown at most. The raw answer has all of them. */
const MAX_EVENTS = 40;

/** What happened to an order, the newest first, with the transactions. */
export function OrderEvents({ order, tokens }: { readonly order: OrderView; readonly tokens: KnownTokens }) {
  const { events } = order;
  if (events.length === 0) return <span className="order-events__none">No transaction is recorded.</span>;
  return (
    <>
      <EventList order={order} events={events.slice(0, FIRST_EVENTS)} tokens={tokens} />
      {events.length > FIRST_EVENTS ? <EarlierEvents order={order} tokens={tokens} /> : null}
    </>
  );
}

/** Earlier events are put into the page when they are asked for: an order may have hundreds, and a page many orders. */
function EarlierEvents({ order, tokens }: { readonly order: OrderView; readonly tokens: KnownTokens }) {
  const [isOpen, setOpen] = useState(false);
  const { events } = order;
  return (
    <details className="disclosure" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{events.length - FIRST_EVENTS} earlier</summary>
      {isOpen ? (
        <div className="disclosure__content">
          <EventList order={order} events={events.slice(FIRST_EVENTS, MAX_EVENTS)} tokens={tokens} />
          {events.length > MAX_EVENTS ? <p>The raw answer has all of them.</p> : null}
        </div>
      ) : null}
    </details>
  );
}

function EventList({
  order,
  events,
  tokens,
}: {
  readonly order: OrderView;
  readonly events: readonly OrderEvent[];
  readonly tokens: KnownTokens;
}) {
  return (
    <ul className="order-events">
      {events.map((event) => (
        <li key={`${event.signature} ${event.what} ${event.at}`}>
          {event.what}
          {event.isFailed ? ', which failed' : ''}
          {event.sold === null || event.received === null ? null : (
            <>
              : <MintAmount raw={event.sold} mint={order.inputMint} tokens={tokens} /> for{' '}
              <MintAmount raw={event.received} mint={event.outputMint ?? order.outputMint} tokens={tokens} />
            </>
          )}
          <span className="order-events__where">
            {event.at === null ? null : formatUtcTime(event.at)}
            {event.signature === null ? null : <AddressText address={event.signature} link="transaction" />}
          </span>
        </li>
      ))}
    </ul>
  );
}
