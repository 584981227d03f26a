import { useState } from 'react';
import { ApiError } from '../../../../api/call.ts';
import { useInstance } from '../../../../api/instance.ts';
import { useRawQuery } from '../../../../api/raw-query.ts';
import { type ExactJson, isExactObject } from '../../../../base/exact-json.ts';
import { escapeInvisible } from '../../../../base/format-text.ts';
import { getText } from '../../../../base/read-json.ts';
import { DataTable } from '../../../../parts/data-table.tsx';
import { Panel } from '../../../../parts/page.tsx';
import { RawAnswer } from '../../../../parts/raw-answer.tsx';
import { EmptyNote, ErrorNote, Loading } from '../../../../parts/status.tsx';
import { findOwnImage } from '../model/find-own-image.ts';

/** Members of the metadata that are shown, and how long each is at most. */
const MAX_MEMBERS = 30;
const MAX_LENGTH = 10_000;

/** What the creator of a launch says of it: asked for when somebody wants to read it, because most launches have no page. */
export function CreatorPage({ mint }: { readonly mint: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Panel title="What the creator says">
      <details className="disclosure" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>Page and metadata, which anybody may have written</summary>
        {isOpen ? (
          <div className="disclosure__content creator-page">
            <PageText mint={mint} />
            <Metadata mint={mint} />
          </div>
        ) : null}
      </details>
    </Panel>
  );
}

function PageText({ mint }: { readonly mint: string }) {
  const query = useRawQuery(`/studio/v1/dbc-pool/page/${encodeURIComponent(mint)}`);
  if (isAbsent(query.error))
    return <EmptyNote>It was not launched here, so this server has no page of it.</EmptyNote>;
  if (query.error !== null) return <ErrorNote error={query.error} onRetry={() => void query.refetch()} />;
  if (query.data === undefined) return <Loading what="the page" />;
  const content = getText(query.data.exact, 'content');
  return (
    <>
      <OwnImage url={getText(query.data.exact, 'headerImage')} label="The header of the page" />
      <p className="creator-page__text">
        {content === null ? 'The page has no text.' : escapeInvisible(content.slice(0, MAX_LENGTH))}
      </p>
      <RawAnswer raw={query.data} name="of the page" />
    </>
  );
}

function Metadata({ mint }: { readonly mint: string }) {
  const query = useRawQuery(`/metadata/${encodeURIComponent(mint)}.json`);
  if (isAbsent(query.error)) return <EmptyNote>No metadata of this token were uploaded here.</EmptyNote>;
  if (query.error !== null) return <ErrorNote error={query.error} onRetry={() => void query.refetch()} />;
  if (query.data === undefined) return <Loading what="the metadata" />;
  return (
    <>
      <OwnImage url={getText(query.data.exact, 'image')} label="The image of the token" />
      <DataTable
        caption="Metadata"
        rows={listTexts(query.data.exact)}
        rowKey={([name]) => name}
        columns={[
          { heading: 'Name', cell: ([name]) => escapeInvisible(name) },
          {
            heading: 'Value',
            cell: ([, text]) => <span className="creator-page__text">{escapeInvisible(text)}</span>,
          },
        ]}
      />
      <RawAnswer raw={query.data} name="of the metadata" />
    </>
  );
}

/** An image of this server; what is elsewhere is not loaded, and stays a text. */
function OwnImage({ url, label }: { readonly url: string | null; readonly label: string }) {
  const { data: instance } = useInstance();
  const path = findOwnImage(url, [location.origin, instance?.urls.rest ?? '']);
  return path === null ? null : <img className="creator-page__image" src={path} alt={label} />;
}

function listTexts(metadata: ExactJson): readonly (readonly [name: string, text: string])[] {
  if (!isExactObject(metadata)) return [];
  return [...metadata]
    .slice(0, MAX_MEMBERS)
    .flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value.slice(0, MAX_LENGTH)] as const] : [],
    );
}

function isAbsent(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}
