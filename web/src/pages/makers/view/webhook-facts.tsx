import { formatUtcTime } from '../../../base/format-time.ts';
import { escapeInvisible } from '../../../base/format-text.ts';
import { Panel } from '../../../parts/page.tsx';
import { Stat, StatList } from '../../../parts/stat.tsx';
import type { MakerWebhook } from '../source/maker-shapes.ts';
import { MakerStatusBadge } from '../text/maker-status.tsx';

/** How the webhook of a maker answers. */
export function WebhookFacts({ webhook }: { readonly webhook: MakerWebhook }) {
  const { url, status, why, suspendedUntil, mints, swaps, calls } = webhook;
  return (
    <Panel title="Webhook" aside={<MakerStatusBadge status={status} />}>
      <p className="maker-url">
        <code>{escapeInvisible(url)}</code>
      </p>
      {why === null ? null : (
        <p className="maker-note maker-note--warning">It is not asked: {escapeInvisible(why)}.</p>
      )}
      {suspendedUntil === null ? null : (
        <p className="maker-note maker-note--warning">
          It is suspended until {formatUtcTime(suspendedUntil)}.
        </p>
      )}
      {calls.problem === null ? null : (
        <p className="maker-note maker-note--warning">
          Its last call failed: {escapeInvisible(calls.problem)}.
          {calls.restsUntil === null ? '' : ` It is asked again from ${formatUtcTime(calls.restsUntil)}.`}
        </p>
      )}
      <StatList>
        <Stat label="Asked for quotes" value={calls.asked} note="since this instance started" />
        <Stat
          label="Quoted"
          value={calls.quoted}
          note={`${calls.declined} declined, ${calls.failed} failed`}
        />
        <Stat
          label="Swaps filled"
          value={swaps.filled}
          note={`${swaps.missed} missed, ${swaps.excused} excused`}
        />
        <Stat
          label="Tokens that it lists"
          value={mints ?? 'Not read yet'}
          note={
            calls.lastAnswerAt === null ? 'no answer yet' : `last answer ${formatUtcTime(calls.lastAnswerAt)}`
          }
        />
      </StatList>
    </Panel>
  );
}
