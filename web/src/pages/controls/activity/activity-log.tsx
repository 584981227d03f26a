import { escapeInvisible } from '../../../base/format-text.ts';
import { formatUtcTime } from '../../../base/format-time.ts';
import { Badge } from '../../../parts/badge.tsx';
import { Button } from '../../../parts/button.tsx';
import { Panel } from '../../../parts/page.tsx';
import { useActivity } from './activity.tsx';

/** What was done on this page, the newest first. */
export function ActivityLog() {
  const { entries } = useActivity();
  return (
    <Panel title="What you did">
      {entries.length === 0 ? (
        <p className="controls__note">
          Nothing yet. Each change is listed here, with a way back where there is one.
        </p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
        <ol className="activity-log" aria-label="What you did" tabIndex={0}>
          {entries.map(({ number, at, what, result, isRefused, undo }) => (
            <li key={number}>
              <div className="activity-log__head">
                <time dateTime={new Date(at).toISOString()}>{formatUtcTime(at).slice(11)}</time>
                {isRefused ? <Badge tone="danger">refused</Badge> : null}
                {undo === null ? null : (
                  <Button kind="quiet" onClick={undo} aria-label={`Undo: ${what}`}>
                    Undo
                  </Button>
                )}
              </div>
              <strong>{what}</strong>
              <span>{escapeInvisible(result)}</span>
            </li>
          ))}
        </ol>
      )}
    </Panel>
  );
}
