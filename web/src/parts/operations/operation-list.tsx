import './operation-list.css';
import { Link, useParams } from '@tanstack/react-router';
import { type KeyboardEvent, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import type { ApiGroup } from '../../openapi/model/api-model.ts';
import type { ApiSide } from '../../openapi/use-api-model.ts';
import { EmptyNote } from '../status.tsx';
import { filterOperations } from './filter-operations.ts';
import { Method } from './method.tsx';

/** All operations by group, with a filter. `/` leads to the filter, and the arrow keys through the list. */
export function OperationList({
  groups,
  side,
  to,
  head,
}: {
  readonly groups: readonly ApiGroup[];
  /** The page that an operation is opened in. */
  readonly to: '/playground/$operationId' | '/reference/$operationId';
  readonly side: ApiSide;
  /** Stands above the filter. */
  readonly head: ReactNode;
}) {
  const [text, setText] = useState('');
  const list = useRef<HTMLElement>(null);
  const filter = useRef<HTMLInputElement>(null);
  const shown = useMemo(() => filterOperations(groups, text), [groups, text]);
  const count = shown.reduce((sum, { operations }) => sum + operations.length, 0);
  useSlashKey(filter);
  useShownLink(list);
  const clearOnEscape = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && text !== '') setText('');
  };
  return (
    <nav
      className="operation-list"
      aria-label="Endpoints"
      ref={list}
      onKeyDown={(event) => moveFocus(event, list.current)}
    >
      <div className="operation-list__head">
        {head}
        <label className="operation-list__filter">
          <span className="visually-hidden">Filter the endpoints</span>
          <input
            ref={filter}
            type="search"
            value={text}
            placeholder="Filter the endpoints"
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => setText(event.target.value)}
            onKeyDown={clearOnEscape}
          />
          <kbd>/</kbd>
        </label>
        <p className="visually-hidden" role="status">
          {text === '' ? '' : `${count} endpoints`}
        </p>
      </div>
      <div className="operation-list__groups">
        {shown.map(({ name, operations }) => (
          <section key={name}>
            <h2 className="operation-list__group">
              {name} <span className="operation-list__count">{operations.length}</span>
            </h2>
            <ul>
              {operations.map(({ id, method, path, summary }) => (
                <li key={id}>
                  <Link
                    to={to}
                    params={{ operationId: id }}
                    search={side === 'admin' ? { side } : {}}
                    className="operation-list__link"
                    title={summary}
                    activeOptions={{ includeSearch: false }}
                    preload={false}
                    data-operation={id}
                  >
                    <Method name={method} />
                    <span className="operation-list__path">{path}</span>
                  </Link>
                </li>
              ))}
            </ul>
          </section>
        ))}
        {count === 0 ? <EmptyNote>No endpoint has these words. Escape shows all of them.</EmptyNote> : null}
      </div>
    </nav>
  );
}

/** Moves the focus from the filter into the list, and along it. */
function moveFocus(event: KeyboardEvent, list: HTMLElement | null): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  if (step === 0 || list === null) return;
  const stops = [...list.querySelectorAll<HTMLElement>('input[type="search"], a[data-operation]')];
  const at = stops.indexOf(document.activeElement as HTMLElement);
  const next = stops[at + step];
  if (at < 0 || next === undefined) return;
  event.preventDefault();
  next.focus();
}

function useSlashKey(filter: { readonly current: HTMLInputElement | null }): void {
  useEffect(() => {
    const focusFilter = (event: globalThis.KeyboardEvent) => {
      const isTyping =
        event.target instanceof HTMLElement &&
        event.target.matches('input, textarea, select, [contenteditable]');
      if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      filter.current?.focus();
    };
    window.addEventListener('keydown', focusFilter);
    return () => window.removeEventListener('keydown', focusFilter);
  }, [filter]);
}

/** Scrolls the list, and not the page, to the operation that is open when the list is first shown. */
function useShownLink(list: { readonly current: HTMLElement | null }): void {
  const { operationId } = useParams({ strict: false });
  const first = useRef(operationId);
  useEffect(() => {
    const groups = list.current?.querySelector('.operation-list__groups');
    const link = groups?.querySelector(`[data-operation="${CSS.escape(first.current ?? '')}"]`);
    if (!groups || !link) return;
    const [frame, place] = [groups.getBoundingClientRect(), link.getBoundingClientRect()];
    if (place.bottom > frame.bottom) groups.scrollTop += place.top - frame.top - frame.height / 3;
  }, [list]);
}
