import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import type { Scope } from '../../../api/scope.ts';
import { escapeInvisible } from '../../../base/format-text.ts';
import { Button } from '../../../parts/button.tsx';
import { Field } from '../../../parts/field.tsx';
import { usePageSearch } from '../../../parts/page-search.ts';
import { classifySearch, SEARCHED_WORDS, type SearchedKind } from '../text/search-form.ts';

const MAX_TEXT = 100;
/** What the field sets, of which one at a time is set. */
const SEARCHED: readonly Exclude<SearchedKind, 'order'>[] = ['taker', 'maker', 'signature'];

/** One field for the id of an order, a signature, a taker or a maker. It says what it took the text for. */
export function LedgerSearch({ scope }: { readonly scope: Scope }) {
  const [search, change] = usePageSearch();
  const navigate = useNavigate();
  const searched = SEARCHED.find((kind) => search[kind] !== undefined) ?? null;
  const [typed, setTyped] = useState('');
  const [error, setError] = useState<string | null>(null);
  const find = (kind: Exclude<SearchedKind, 'order'> | null, text: string) =>
    change({ taker: null, maker: null, signature: null, ...(kind === null ? {} : { [kind]: text }) });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const text = typed.trim();
    const kind = classifySearch(text);
    if (kind === null) {
      setError(
        text === ''
          ? null
          : 'This is neither the id of an order, nor a signature, a wallet, or the id of a maker.',
      );
      if (text === '') find(null, '');
      return;
    }
    setError(null);
    setTyped('');
    if (kind !== 'order') return find(kind, text);
    void (scope.kind === 'instance'
      ? navigate({ to: '/operate/orders/$order', params: { order: text.toLowerCase() } })
      : navigate({
          to: '/organisations/$organisation/orders/$order',
          params: { organisation: scope.organisation, order: text.toLowerCase() },
        }));
  };
  return (
    <>
      <form className="ledger-search" onSubmit={submit}>
        <Field
          label="The id of an order, a signature, the wallet of a taker, or the id of a maker"
          error={error}
        >
          {(control) => (
            <input
              {...control}
              type="search"
              value={typed}
              maxLength={MAX_TEXT}
              autoComplete="off"
              autoCapitalize="off"
              spellCheck={false}
              onChange={({ target }) => setTyped(target.value)}
            />
          )}
        </Field>
        <Button type="submit" kind="primary">
          Find
        </Button>
      </form>
      {searched === null ? null : (
        <p className="ledger-searched" role="status">
          <span>
            Looking for {SEARCHED_WORDS[searched]}: <code>{escapeInvisible(search[searched] ?? '')}</code>
          </span>
          {searched === 'taker' ? (
            <Button kind="quiet" onClick={() => find('maker', search.taker ?? '')}>
              It is the id of a maker
            </Button>
          ) : null}
          <Button kind="quiet" onClick={() => find(null, '')}>
            Show all
          </Button>
        </p>
      )}
    </>
  );
}
