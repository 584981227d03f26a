import { useInstance } from '../api/instance.ts';

/** Leads to the search of the documentation, which has pages, headings and operations. */
export function DocsSearch() {
  const { data } = useInstance();
  const docs = data?.port === 'admin' ? `${data.urls.rest}/docs` : '/docs';
  return (
    <form className="frame__search" role="search" action={docs}>
      <label>
        <span className="visually-hidden">Search the documentation</span>
        <input type="search" name="q" placeholder="Search the docs" autoComplete="off" spellCheck={false} />
      </label>
    </form>
  );
}
