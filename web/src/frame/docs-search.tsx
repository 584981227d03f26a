import type { FormEvent } from 'react';
import { useDocsUrl } from '../api/instance.ts';

/** Leads to the search of the documentation, which has pages, headings and operations. */
export function DocsSearch() {
  const docs = useDocsUrl();
  // The policy of the page lets no form be sent, so the page goes there itself.
  const search = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const words = new FormData(event.currentTarget).get('q');
    window.location.assign(`${docs}?${new URLSearchParams({ q: String(words ?? '') })}`);
  };
  return (
    <search className="frame__search">
      <form onSubmit={search}>
        <label>
          <span className="visually-hidden">Search the documentation</span>
          <input type="search" name="q" placeholder="Search the docs" autoComplete="off" spellCheck={false} />
        </label>
      </form>
    </search>
  );
}
