import { useState } from 'react';
import { useDocsUrl } from '../../api/instance.ts';
import type { ApiOperation } from '../../openapi/model/api-model.ts';
import type { ApiSide } from '../../openapi/use-api-model.ts';
import {
  type ErrorChapter,
  type ErrorChapterBlock,
  selectErrorChapters,
  useErrorSections,
} from '../../openapi/use-error-sections.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { Prose } from '../../parts/prose.tsx';
import { ErrorNote, Loading } from '../../parts/status.tsx';
import { filterErrorBlocks } from './error-filter.ts';
import { nameErrorBlock } from './error-block-name.ts';

/** The codes and texts of refusals that an operation may answer, from the page of errors. */
export function ErrorTables({
  operation,
  side,
}: {
  readonly operation: ApiOperation;
  readonly side: ApiSide;
}) {
  const { data, error, refetch } = useErrorSections();
  const [text, setText] = useState('');
  const docs = useDocsUrl();
  if (error !== null) return <ErrorNote error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading what="the errors" />;
  return (
    <div className="error-tables">
      <label className="error-tables__filter">
        Find a code or a text that you got
        <input
          type="search"
          value={text}
          onChange={(event) => setText(event.target.value)}
          spellCheck={false}
        />
      </label>
      {selectErrorChapters(data, operation, side).map((chapter) => (
        <ErrorChapterView key={chapter.anchor} chapter={chapter} sought={text} docs={docs} />
      ))}
    </div>
  );
}

function ErrorChapterView({
  chapter,
  sought,
  docs,
}: {
  readonly chapter: ErrorChapter;
  readonly sought: string;
  readonly docs: string;
}) {
  const [isOpen, setOpen] = useState(false);
  const isSought = sought.trim() !== '';
  const blocks = filterErrorBlocks(chapter.blocks, sought);
  if (blocks.length === 0) return null;
  return (
    <details
      className="error-tables__chapter"
      open={isOpen || isSought}
      onToggle={(event) => {
        if (!isSought) setOpen(event.currentTarget.open);
      }}
    >
      <summary>
        <Prose text={chapter.title} />
      </summary>
      {isOpen || isSought ? (
        <div className="error-tables__blocks">
          {blocks.map((block, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the blocks of a page have no name but their place.
            <ErrorBlockView key={index} block={block} name={nameErrorBlock(chapter.title, blocks, index)} />
          ))}
          <p>
            <a href={`${docs}/errors#${chapter.anchor}`}>In the documentation</a>
          </p>
        </div>
      ) : null}
    </details>
  );
}

function ErrorBlockView({
  block,
  name,
}: {
  readonly block: ErrorChapterBlock;
  /** What screen readers call it. */
  readonly name: string;
}) {
  if (block.kind === 'table')
    return (
      <DataTable
        caption={name}
        columns={block.headings.map((heading, index) => ({
          heading: heading.replaceAll('`', ''),
          cell: (row: readonly string[]) => <Prose text={row[index] ?? ''} />,
        }))}
        rows={block.rows}
        rowKey={(_, index) => index}
      />
    );
  if (block.kind === 'texts')
    return (
      <section
        className="error-tables__texts"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
        tabIndex={0}
        aria-label={name}
      >
        <ul>
          {block.lines.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      </section>
    );
  if (block.kind === 'heading') return <h3>{block.text}</h3>;
  return (
    <p className="error-tables__text">
      <Prose text={block.text} />
    </p>
  );
}
