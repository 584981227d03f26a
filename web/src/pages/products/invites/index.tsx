import './invites.css';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import { useDocsUrl } from '../../../api/instance.ts';
import { useRawQuery } from '../../../api/raw-query.ts';
import type { ExactJson } from '../../../base/exact-json.ts';
import { isFlagSet } from '../../../base/read-json.ts';
import { Panel } from '../../../parts/page.tsx';
import { EmptyNote } from '../../../parts/status.tsx';
import { AnswerPanel } from '../frame/answer-panel.tsx';
import { usePageSearch } from '../../../parts/page-search.ts';
import { PageTurner, parsePageNumber } from '../frame/page-turner.tsx';
import { ProductFrame } from '../frame/product-frame.tsx';
import { WalletPanel } from '../frame/wallet-panel.tsx';
import { InviteTable } from './invite-table.tsx';
import { parseInvites } from './model/parse-invites.ts';

const REFETCH_MS = 4_000;

/** The invites of a wallet: those that wait for whoever has the code, and those that have ended. */
export function InvitesPage() {
  return (
    <ProductFrame
      view="invites"
      lead="SOL and tokens that a wallet has sent with a code: whoever has the code can claim them, until they go back."
    >
      <Invites />
    </ProductFrame>
  );
}

function Invites() {
  const [search, change] = usePageSearch();
  return (
    <WalletPanel
      named={search.address}
      onChange={(address) => change({ address, pending: null, history: null })}
    >
      {(address) => (
        <>
          <InviteList
            title="Invites that can be claimed"
            what="pending invites"
            path="/send/v1/pending-invites"
            address={address}
            page={parsePageNumber(search.pending)}
            onPage={(page) => change({ pending: page === 1 ? null : String(page) })}
          >
            <EmptyNote>
              Nothing that this wallet has sent waits to be claimed. <CraftLink address={address} />.
            </EmptyNote>
          </InviteList>
          <InviteList
            title="Invites that have ended"
            what="ended invites"
            path="/send/v1/invite-history"
            address={address}
            page={parsePageNumber(search.history)}
            onPage={(page) => change({ history: page === 1 ? null : String(page) })}
          >
            <EmptyNote>This wallet has neither claimed an invite, nor sent one that has ended.</EmptyNote>
          </InviteList>
          <HowToSend address={address} />
        </>
      )}
    </WalletPanel>
  );
}

function InviteList({
  title,
  what,
  path,
  address,
  page,
  onPage,
  children,
}: {
  readonly title: string;
  readonly what: string;
  readonly path: string;
  readonly address: string;
  readonly page: number;
  readonly onPage: (page: number) => void;
  /** Shown where there are none. */
  readonly children: ReactNode;
}) {
  const query = useRawQuery(`${path}?${new URLSearchParams({ address, page: String(page) })}`, {
    refetchMs: REFETCH_MS,
  });
  return (
    <AnswerPanel title={title} what={what} query={query}>
      {({ exact }) => (
        <ListedInvites caption={title} exact={exact} address={address} page={page} onPage={onPage}>
          {children}
        </ListedInvites>
      )}
    </AnswerPanel>
  );
}

function ListedInvites({
  caption,
  exact,
  address,
  page,
  onPage,
  children,
}: {
  readonly caption: string;
  readonly exact: ExactJson;
  readonly address: string;
  readonly page: number;
  readonly onPage: (page: number) => void;
  readonly children: ReactNode;
}) {
  const invites = useMemo(() => parseInvites(exact), [exact]);
  const hasNext = isFlagSet(exact, 'hasMoreData');
  return (
    <>
      {invites.length === 0 && page === 1 ? (
        children
      ) : (
        <InviteTable caption={caption} wallet={address} invites={invites} />
      )}
      {page > 1 || hasNext ? (
        <PageTurner what={caption} page={page} hasNext={hasNext} onPage={onPage} />
      ) : null}
    </>
  );
}

/** The code and its key never leave the machine of the sender, so a page of a server asks for neither. */
function HowToSend({ address }: { readonly address: string }) {
  const docs = useDocsUrl();
  return (
    <Panel title="How one is sent">
      <div className="invites-how">
        <ol>
          <li>
            Make a code and the key pair of the code on your own machine, as{' '}
            <a href={`${docs}/send`}>the documentation</a> shows: Sluice sees neither.
          </li>
          <li>
            <CraftLink address={address} />, with the public key of the code. The wallet and the key of the
            code sign the transaction.
          </li>
          <li>
            Give the code to somebody. <code>sluice send claim CODE --keypair FILE</code> claims it.
          </li>
        </ol>
      </div>
    </Panel>
  );
}

function CraftLink({ address }: { readonly address: string }) {
  return (
    <Link
      to="/playground/$operationId"
      params={{ operationId: 'CraftSend' }}
      search={{ body: JSON.stringify({ sender: address, amount: '100000000' }) } as never}
    >
      Craft one in the playground
    </Link>
  );
}
