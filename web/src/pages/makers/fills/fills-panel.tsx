import { useMemo, useState } from 'react';
import { useKnownTokens } from '../../../api/known-tokens.ts';
import { Button } from '../../../parts/button.tsx';
import { Field } from '../../../parts/field.tsx';
import { Panel } from '../../../parts/page.tsx';
import { RawAnswer } from '../../../parts/raw-answer.tsx';
import { EmptyNote, ErrorNote, Loading } from '../../../parts/status.tsx';
import type { MakerBid } from '../source/bid-shapes.ts';
import type { BidResult, MakerSource } from '../source/maker-source.ts';
import { useMakerBids } from '../source/use-maker.ts';
import { BidTable } from './bid-table.tsx';

/** Orders that a page keeps. Older ones are in the answers of the endpoint. */
const MAX_KEPT = 2_000;
const NO_BIDS: readonly MakerBid[] = [];

/** The fills of a maker, newest first; for the maker itself, what it won and lost too. */
export function FillsPanel({ source }: { readonly source: MakerSource }) {
  const [result, setResult] = useState<BidResult>('filled');
  const { data, error, refetch, hasNextPage, isFetchingNextPage, isLive, setLive, readOn } = useMakerBids(
    source,
    result,
  );
  const bids = useMemo(() => data?.pages.flatMap(({ value }) => value.bids) ?? NO_BIDS, [data]);
  const mints = useMemo(() => bids.flatMap(listMints), [bids]);
  const tokens = useKnownTokens(mints);
  return (
    <Panel
      title={result === 'filled' ? 'Fills' : 'Orders'}
      aside={
        <Button kind="quiet" aria-pressed={isLive} onClick={() => setLive(!isLive)}>
          {isLive ? 'Pause' : 'Follow'}
        </Button>
      }
    >
      {source.isOperator ? null : (
        <div className="maker-range">
          <Field label="Which orders">
            {(control) => (
              <select
                {...control}
                value={result}
                onChange={(event) => setResult(event.target.value as BidResult)}
              >
                <option value="filled">Those whose fill was offered</option>
                <option value="won">Those that it won</option>
                <option value="lost">Those that it lost</option>
              </select>
            )}
          </Field>
        </div>
      )}
      {error === null ? null : <ErrorNote error={error} onRetry={() => void refetch()} />}
      {data === undefined ? (
        error === null ? (
          <Loading what="orders" />
        ) : null
      ) : bids.length === 0 ? (
        <NoBids result={result} />
      ) : (
        <BidTable
          bids={bids}
          tokens={tokens}
          hasResult={result !== 'filled'}
          isOperator={source.isOperator}
        />
      )}
      {hasNextPage && bids.length < MAX_KEPT ? (
        <Button busy={isFetchingNextPage} onClick={readOn}>
          Show older ones
        </Button>
      ) : null}
      <RawAnswer raw={data?.pages[0]?.raw} name="of the newest orders" />
    </Panel>
  );
}

function NoBids({ result }: { readonly result: BidResult }) {
  return (
    <EmptyNote>
      {result === 'lost' ? (
        <p>It lost no order in the last 7 days.</p>
      ) : (
        <>
          <p>{result === 'won' ? 'It won no order' : 'No fill was offered to it'} in the last 7 days.</p>
          <p>
            A fill is offered when a taker executes an order that the maker won. On the embedded network, the
            swap of the <a href="/portal">start page</a> is one, where the maker has the best price.
          </p>
        </>
      )}
    </EmptyNote>
  );
}

function listMints({ inputMint, outputMint, fill }: MakerBid): readonly string[] {
  return [inputMint, outputMint, fill?.paid?.mint, fill?.received?.mint].filter(
    (mint): mint is string => typeof mint === 'string',
  );
}
