import { useMemo } from 'react';
import { useCredential } from '../../../../api/credentials.ts';
import type { ExactJson } from '../../../../base/exact-json.ts';
import { Button } from '../../../../parts/button.tsx';
import { Panel } from '../../../../parts/page.tsx';
import { EmptyNote } from '../../../../parts/status.tsx';
import { AddressText } from '../../../../parts/address-text.tsx';
import { AnswerPanel } from '../../frame/answer-panel.tsx';
import type { OrderView } from '../model/order-view.ts';
import { parsePriceOrders, parseRoundOrders } from '../model/parse-waiting-orders.ts';
import { NoOrders } from '../table/no-orders.tsx';
import { OrderTable } from '../table/order-table.tsx';
import { SignInNote } from './sign-in-note.tsx';
import { findTokenWallet } from './token-wallet.ts';
import { isSignedOut, useSignedQuery, WALLET_TOKEN } from './use-signed-query.ts';

const REFETCH_MS = 4_000;
const PAGE_SIZE = 20;

/** The orders that wait in the vault of a wallet, once it has signed in. */
export function WaitingOrders({
  address,
  isPast,
  onAddress,
}: {
  readonly address: string;
  readonly isPast: boolean;
  /** Called with the address of another wallet that is to be shown. */
  readonly onAddress: (address: string) => void;
}) {
  const [token] = useCredential(WALLET_TOKEN);
  const query = `state=${isPast ? 'past' : 'active'}&limit=${PAGE_SIZE}`;
  const prices = useSignedQuery(`/trigger/v2/orders/history?${query}`, REFETCH_MS);
  const rounds = useSignedQuery(`/trigger/v2/orders/history/dca?${query}`, REFETCH_MS);
  const wallet = findTokenWallet(token);
  const isEnded = isSignedOut(prices.error) || isSignedOut(rounds.error);
  if (token === '' || isEnded) {
    return (
      <Panel title="Orders that wait in a vault">
        <SignInNote wasSignedIn={isEnded} onSignedIn={onAddress} />
      </Panel>
    );
  }
  if (wallet !== null && wallet !== address) {
    return (
      <Panel title="Orders that wait in a vault">
        <EmptyNote>
          Signed in is another wallet than the one that is shown: <AddressText address={wallet} />{' '}
          <Button onClick={() => onAddress(wallet)}>Show its orders</Button>
        </EmptyNote>
      </Panel>
    );
  }
  return (
    <>
      <SignedPanel
        title="Orders that wait for a price"
        what="orders that wait for a price"
        query={prices}
        parse={parsePriceOrders}
        isPast={isPast}
      />
      <SignedPanel
        title="Orders in rounds"
        what="orders in rounds"
        query={rounds}
        parse={parseRoundOrders}
        isPast={isPast}
      />
    </>
  );
}

function SignedPanel({
  title,
  what,
  query,
  parse,
  isPast,
}: {
  readonly title: string;
  readonly what: string;
  readonly query: ReturnType<typeof useSignedQuery>;
  readonly parse: (answer: ExactJson) => readonly OrderView[];
  readonly isPast: boolean;
}) {
  return (
    <AnswerPanel title={title} what={what} query={query}>
      {({ exact }) => <SignedOrders caption={title} exact={exact} parse={parse} isPast={isPast} />}
    </AnswerPanel>
  );
}

function SignedOrders({
  caption,
  exact,
  parse,
  isPast,
}: {
  readonly caption: string;
  readonly exact: ExactJson;
  readonly parse: (answer: ExactJson) => readonly OrderView[];
  readonly isPast: boolean;
}) {
  const orders = useMemo(() => parse(exact), [parse, exact]);
  if (orders.length > 0) return <OrderTable caption={caption} orders={orders} />;
  return <NoOrders isPast={isPast} operationId="CraftTriggerDeposit" guide="trigger" />;
}
