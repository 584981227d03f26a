import './launches.css';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useDocsUrl } from '../../../api/instance.ts';
import { useRawQuery } from '../../../api/raw-query.ts';
import type { ExactJson } from '../../../base/exact-json.ts';
import { isAddress } from '../../../base/is-address.ts';
import { AddressForm } from '../../../parts/address-form.tsx';
import { Panel } from '../../../parts/page.tsx';
import { usePageSearch } from '../../../parts/page-search.ts';
import { EmptyNote } from '../../../parts/status.tsx';
import { AnswerPanel } from '../frame/answer-panel.tsx';
import { ProductFrame } from '../frame/product-frame.tsx';
import { LaunchDetail } from './launch/launch-detail.tsx';
import { LaunchTable } from './launch-table.tsx';
import { parseLaunches } from './model/parse-launches.ts';

const REFETCH_MS = 5_000;

/** Tokens that were launched on bonding curves, and each of them with its curve. */
export function LaunchesPage() {
  return (
    <ProductFrame
      view="launches"
      lead="Tokens that are sold on a bonding curve until it has raised what its terms ask for, and trade in a pool from then on."
    >
      <Launches />
    </ProductFrame>
  );
}

function Launches() {
  const [{ mint }, change] = usePageSearch();
  return (
    <>
      <Panel>
        <AddressForm
          label="Mint of a launch"
          value={mint ?? null}
          wallets={false}
          onChange={(next) => change({ mint: next })}
        />
      </Panel>
      {mint === undefined ? (
        <>
          <RecentLaunches />
          <HowToLaunch />
        </>
      ) : isAddress(mint) ? (
        <LaunchDetail key={mint} mint={mint} />
      ) : (
        <EmptyNote>The address of this page names no mint: enter another one above.</EmptyNote>
      )}
    </>
  );
}

function RecentLaunches() {
  const query = useRawQuery('/tokens/v2/recent', { refetchMs: REFETCH_MS });
  return (
    <AnswerPanel title="Newest launches" what="newest tokens" query={query}>
      {({ exact }) => <ListedLaunches exact={exact} />}
    </AnswerPanel>
  );
}

function ListedLaunches({ exact }: { readonly exact: ExactJson }) {
  const launches = useMemo(() => parseLaunches(exact), [exact]);
  if (launches.length > 0) return <LaunchTable launches={launches} />;
  return (
    <EmptyNote>
      None of the newest tokens was launched on a curve. <LaunchLink />.
    </EmptyNote>
  );
}

function HowToLaunch() {
  const docs = useDocsUrl();
  return (
    <Panel title="How a token is launched">
      <p>
        <LaunchLink /> with its name and its terms, sign the transaction with the wallet of the creator, and
        submit it. <a href={`${docs}/studio`}>The documentation</a> has every step, with the uploads of an
        image and a page.
      </p>
    </Panel>
  );
}

function LaunchLink() {
  return (
    <Link to="/playground/$operationId" params={{ operationId: 'CreateLaunch' }}>
      Prepare a launch in the playground
    </Link>
  );
}
