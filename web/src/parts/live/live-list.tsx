import './live.css';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useRef, useState } from 'react';
import { formatWhole } from '../../base/format-amount.ts';
import { Button } from '../button.tsx';
import type { FeedLine } from './feed-sampler.ts';

/** Rows that are in the page at once, however many there are. */
export const MAX_ROWS_DRAWN = 200;
/** Rows above and below those that are seen. */
const OVERSCAN = 10;
/** From here on a reader is looking at older rows. */
const AT_TOP_PX = 8;

/**
 * A long list of which only the rows that are seen are in the page. The newest stand first. While a reader has scrolled to
 * older ones, the list stands still, and a button leads back.
 */
export function LiveList<Item>({
  label,
  lines,
  renderRow,
  estimate = 36,
  height = '24rem',
}: {
  /** The accessible name: `Slots, the newest first`. */
  readonly label: string;
  /** The newest first. */
  readonly lines: readonly FeedLine<Item>[];
  readonly renderRow: (item: Item, number: number) => ReactNode;
  /** The height of a row in pixels, until it is measured. Default: 36. */
  readonly estimate?: number;
  /** A length of CSS. Default: `24rem`. */
  readonly height?: string;
}) {
  const scroller = useRef<HTMLElement>(null);
  const [held, setHeld] = useState<readonly FeedLine<Item>[] | null>(null);
  const shown = held ?? lines;
  const virtualizer = useVirtualizer<HTMLElement, HTMLElement>({
    count: shown.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => estimate,
    getItemKey: (index) => shown[index]?.number ?? index,
    overscan: OVERSCAN,
    useFlushSync: false,
  });
  // A position that is set while the browser scrolls smoothly ends the scrolling on its way.
  virtualizer.shouldAdjustScrollPositionOnItemSizeChange = (_, __, { scrollDirection }) =>
    scrollDirection === 'backward';
  const newer = held === null ? 0 : (lines[0]?.number ?? 0) - (held[0]?.number ?? 0);
  const followScroll = () => {
    const isAtTop = (scroller.current?.scrollTop ?? 0) <= AT_TOP_PX;
    if (isAtTop && held !== null) setHeld(null);
    else if (!isAtTop && held === null) setHeld(lines);
  };
  const showNewest = () => {
    setHeld(null);
    scroller.current?.scrollTo({ top: 0 });
  };
  return (
    <>
      {held === null || newer <= 0 ? null : (
        <p className="live-list__newest">
          <Button onClick={showNewest}>Show {formatWhole(newer)} newer</Button>
        </p>
      )}
      <section
        ref={scroller}
        className="live-list"
        style={{ maxHeight: height }}
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
        tabIndex={0}
        onScroll={followScroll}
      >
        <ol style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer
            .getVirtualItems()
            .slice(0, MAX_ROWS_DRAWN)
            .map(({ key, index, start }) => {
              const line = shown[index];
              if (line === undefined) return null;
              return (
                <li
                  key={key}
                  ref={virtualizer.measureElement}
                  data-index={index}
                  aria-setsize={shown.length}
                  aria-posinset={index + 1}
                  style={{ transform: `translateY(${start}px)` }}
                >
                  {renderRow(line.item, line.number)}
                </li>
              );
            })}
        </ol>
      </section>
    </>
  );
}
