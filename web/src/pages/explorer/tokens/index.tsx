import { formatCounted } from '../../../base/count-words.ts';
import './data/token-list.css';
import { Button } from '../../../parts/button.tsx';
import { ChoiceBar } from '../../../parts/choice-bar.tsx';
import { FilterField } from '../../../parts/filter-field.tsx';
import { Panel } from '../../../parts/page.tsx';
import { usePageSearch } from '../../../parts/page-search.ts';
import { RawAnswer } from '../../../parts/raw-answer.tsx';
import { EmptyNote, ErrorNote, Loading } from '../../../parts/status.tsx';
import { useRawQuery } from '../../../api/raw-query.ts';
import { listItems } from '../../../base/read-json.ts';
import { ExplorerFrame } from '../frame/explorer-frame.tsx';
import { readTokenRow } from './data/token-row.ts';
import { TokenTable } from './data/token-table.tsx';

const LISTS = [
  ['verified', 'Verified', '/tokens/v2/tag?query=verified'],
  ['traded', 'Most traded', '/tokens/v2/toptraded/24h'],
  ['recent', 'Newest', '/tokens/v2/recent'],
] as const;
type ListName = (typeof LISTS)[number][0];

const REFRESH_MS = 5_000;
/** A list has at most as many rows. Who looks for one of thousands of tokens types its name. */
const MAX_SHOWN = 200;

/** The tokens that the gateway knows. */
export function TokensPage() {
  const [{ query = '', list = 'verified' }, change] = usePageSearch();
  const [chosen, , path] = LISTS.find(([name]) => name === list) ?? LISTS[0];
  const { data, error, refetch } = useRawQuery<unknown>(query.trim() === '' ? path : toSearchPath(query), {
    refetchMs: REFRESH_MS,
  });
  const rows = listItems(data?.exact).flatMap((token) => readTokenRow(token) ?? []);
  const shown = rows.slice(0, MAX_SHOWN);
  return (
    <ExplorerFrame
      title="Tokens"
      lead="The tokens that this gateway knows. Anybody can give a token any name: only the verified ones were looked at."
    >
      <Panel>
        <search className="token-list">
          <FilterField
            label="Search"
            value={query}
            placeholder="A symbol, a name or a mint"
            onChange={(text) => change({ query: text })}
          />
          {query.trim() === '' ? (
            <ChoiceBar
              label="Which tokens"
              choices={LISTS.map(([name, label]) => [name, label] as const)}
              chosen={chosen}
              onChoose={(name: ListName) => change({ list: name })}
            />
          ) : null}
        </search>
        {error === null ? null : <ErrorNote error={error} onRetry={() => void refetch()} />}
        {data === undefined ? (
          error === null ? (
            <Loading what="tokens" />
          ) : null
        ) : shown.length === 0 ? (
          <EmptyNote>
            <p>{query.trim() === '' ? 'There is no such token yet.' : 'No token matches.'}</p>
            <Button onClick={() => change({ query: null, list: null })}>Show the verified tokens</Button>
          </EmptyNote>
        ) : (
          <>
            <TokenTable tokens={shown} />
            <p className="token-list__count" role="status">
              {shown.length < rows.length ? `The first ${MAX_SHOWN} of ` : ''}
              {formatCounted(rows.length, 'token')}
            </p>
          </>
        )}
        <RawAnswer raw={data} />
      </Panel>
    </ExplorerFrame>
  );
}

/** A comma separates mints in the search. */
function toSearchPath(query: string): string {
  return `/tokens/v2/search?${new URLSearchParams({ query: query.trim().replaceAll(',', ' ') })}`;
}
