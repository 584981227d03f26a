import { useRouter } from '@tanstack/react-router';
import type { Session } from '../../api/session.ts';
import { usePageSearch } from '../../parts/page-search.ts';
import { toWayBack } from './way-back.ts';

/** Returns a function that leads on after signing in: back to where the reader came from, or to what the reader may see. */
export function useLeave(): (session: Session) => void {
  const { history } = useRouter();
  const [{ next }] = usePageSearch();
  return ({ organisation }) => history.push(toWayBack(next) ?? toFirstPage(organisation));
}

function toFirstPage(organisation: string | null): string {
  return organisation === null
    ? '/portal/operate'
    : `/portal/organisations/${encodeURIComponent(organisation)}`;
}
