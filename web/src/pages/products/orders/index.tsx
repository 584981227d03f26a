import { useInstance } from '../../../api/instance.ts';
import { ChoiceBar } from '../../../parts/choice-bar.tsx';
import { usePageSearch } from '../../../parts/page-search.ts';
import { parsePageNumber } from '../frame/page-turner.tsx';
import { ProductFrame } from '../frame/product-frame.tsx';
import { WalletPanel } from '../frame/wallet-panel.tsx';
import { LimitOrders, RecurringOrders } from './program-orders.tsx';
import { WaitingOrders } from './waiting/waiting-orders.tsx';

/** The orders of a wallet: in programs on the chain, and in its vault. */
export function OrdersPage() {
  return (
    <ProductFrame
      view="orders"
      lead="What a wallet has ordered: at a price, at regular times, or once a price is reached; and what became of it."
    >
      <Orders />
    </ProductFrame>
  );
}

function Orders() {
  const { data: instance } = useInstance();
  const [search, change] = usePageSearch();
  const isPast = search.state === 'past';
  const isServed = (path: string) => instance?.products.some(({ basePath }) => basePath === path) === true;
  const show = (address: string) => change({ address, limit: null, recurring: null });
  return (
    <WalletPanel named={search.address} onChange={show}>
      {(address) => (
        <>
          <ChoiceBar
            label="Which orders"
            choices={[
              ['open', 'Open'],
              ['past', 'Ended'],
            ]}
            chosen={isPast ? 'past' : 'open'}
            onChoose={(state) =>
              change({ state: state === 'open' ? null : state, limit: null, recurring: null })
            }
          />
          {isServed('/trigger') ? (
            <LimitOrders
              address={address}
              isPast={isPast}
              page={parsePageNumber(search.limit)}
              onPage={(page) => change({ limit: page === 1 ? null : String(page) })}
            />
          ) : null}
          {isServed('/recurring') ? (
            <RecurringOrders
              address={address}
              isPast={isPast}
              page={parsePageNumber(search.recurring)}
              onPage={(page) => change({ recurring: page === 1 ? null : String(page) })}
            />
          ) : null}
          {isServed('/trigger') ? <WaitingOrders address={address} isPast={isPast} onAddress={show} /> : null}
        </>
      )}
    </WalletPanel>
  );
}
