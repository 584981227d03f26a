import '../../../parts/choice-bar.css';
import { formatWhole } from '../../../base/format-amount.ts';
import { Button } from '../../../parts/button.tsx';

/** Buttons to the page before and after of a list. */
export function PageTurner({
  what,
  page,
  hasNext,
  total = null,
  onPage,
}: {
  /** What is listed, for screen readers. */
  readonly what: string;
  /** From 1. */
  readonly page: number;
  readonly hasNext: boolean;
  readonly total?: number | null;
  /** Called with the number of another page. */
  readonly onPage: (page: number) => void;
}) {
  return (
    <nav className="choice-bar choice-bar--pages" aria-label={`Pages of ${what}`}>
      <Button disabled={page <= 1} onClick={() => onPage(page - 1)}>
        Before
      </Button>
      <span>
        Page {formatWhole(page)}
        {total === null ? '' : ` of ${formatWhole(total)}`}
      </span>
      <Button disabled={!hasNext} onClick={() => onPage(page + 1)}>
        Next
      </Button>
    </nav>
  );
}

/** Reads the number of a page from the query of an address; the first one where there is none. */
export function parsePageNumber(text: string | undefined): number {
  return text !== undefined && /^[1-9]\d{0,5}$/.test(text) ? Number(text) : 1;
}
