import { useNavigate, useSearch } from '@tanstack/react-router';

/** The texts in the query of the address, by their names. */
export type PageSearch = Readonly<Record<string, string>>;

/**
 * Returns what stands in the query of the address, and changes it. What a reader would share stands there: the wallet that is
 * looked at, a tab, a filter.
 */
export function usePageSearch(): readonly [
  PageSearch,
  (changes: Readonly<Record<string, string | null>>) => void,
] {
  const search = keepTexts(useSearch({ strict: false }));
  const navigate = useNavigate();
  // Laid over what stands there by then: two changes can follow each other before the page is drawn again.
  const change = (changes: Readonly<Record<string, string | null>>) =>
    void navigate({
      to: '.',
      search: ((current: object) => mergeSearch(keepTexts(current), changes)) as never,
      replace: true,
    });
  return [search, change];
}

function keepTexts(given: object): PageSearch {
  return Object.fromEntries(
    Object.entries(given).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

/** Lays changes over the texts of a query; null and empty ones are removed. */
export function mergeSearch(
  search: PageSearch,
  changes: Readonly<Record<string, string | null>>,
): PageSearch {
  return Object.fromEntries(
    Object.entries({ ...search, ...changes }).filter(
      (entry): entry is [string, string] => entry[1] !== null && entry[1] !== '',
    ),
  );
}
