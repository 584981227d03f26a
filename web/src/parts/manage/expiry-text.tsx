import './manage.css';
import { Badge } from '../badge.tsx';
import { TimeText } from '../time-text.tsx';

const SOON_MS = 14 * 86_400_000;

/** When something expires, with a word where it has or soon will. @param props.at - Unix milliseconds; null: never. */
export function ExpiryText({ at, now }: { readonly at: number | null; readonly now: number }) {
  if (at === null) return <span className="manage-muted">never</span>;
  const isOver = at <= now;
  return (
    <div className="manage-name">
      {isOver || at - now < SOON_MS ? (
        <span>
          <Badge tone={isOver ? 'danger' : 'warning'}>{isOver ? 'expired' : 'soon'}</Badge>
        </span>
      ) : null}
      <TimeText at={at} />
    </div>
  );
}
