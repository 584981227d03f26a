import { Link } from '@tanstack/react-router';
import type { MarketName } from '../model/parse-holdings.ts';

/** The market and the event of something, as a link to the page of the event. */
export function MarketLink({ of: { eventId, marketId, event, market } }: { readonly of: MarketName }) {
  return (
    <>
      <Link to="/products/predictions" search={{ event: eventId, market: marketId } as never}>
        {market}
      </Link>
      <span className="event-table__note">{event}</span>
    </>
  );
}
