import { escapeInvisible, shortenName } from '../../../base/format-text.ts';
import { formatBriefDuration, formatUtcTime } from '../../../base/format-time.ts';
import { Badge } from '../../../parts/badge.tsx';
import type { LedgerOrder, OrderBid } from '../source/ledger-shapes.ts';
import { FILL_TONES } from '../text/fill-states.ts';
import { ChainStep } from './chain-step.tsx';

/** The last look of the maker: when it was offered the swap, and what it answered. */
export function FillStep({ order, fill }: { readonly order: LedgerOrder; readonly fill: OrderBid['fill'] }) {
  const maker = shortenName(order.maker ?? '', 64);
  if (fill === null) {
    return (
      <ChainStep title="Last look of the maker">
        <p>
          {order.execution === null
            ? `${maker} was not asked, because the order did not come back signed.`
            : `${maker} was not asked, or what it answered is not known.`}
        </p>
      </ChainStep>
    );
  }
  const { state, offeredAt, answeredAt, answer, lastLookMs, failure } = fill;
  const tone = FILL_TONES[state];
  return (
    <ChainStep
      title="Last look of the maker"
      at={offeredAt}
      after={order.at}
      tone={tone === 'accent' ? 'plain' : (tone ?? 'plain')}
    >
      <p>
        {offeredAt === null ? `${maker} was not offered the swap. ` : `${maker} was offered the swap`}
        {offeredAt === null
          ? ''
          : answer === null
            ? ' and did not answer. '
            : ` and answered “${escapeInvisible(answer)}”${lastLookMs === null ? '' : ` after ${formatBriefDuration(lastLookMs)}`}${answeredAt === null ? '' : `, at ${formatUtcTime(answeredAt)}`}. `}
        <Badge tone={tone ?? 'plain'}>{escapeInvisible(state)}</Badge>
      </p>
      {failure === null ? null : <p className="ledger-muted">{escapeInvisible(failure)}</p>}
    </ChainStep>
  );
}
