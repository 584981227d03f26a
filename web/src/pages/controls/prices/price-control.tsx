import { type FormEvent, useState } from 'react';
import { callAdminOperation } from '../../../api/admin-operations.ts';
import { formatUtcTime } from '../../../base/format-time.ts';
import { AddressText } from '../../../parts/address-text.tsx';
import { Button } from '../../../parts/button.tsx';
import { DraggablePrice } from '../../../parts/charts/draggable-price.tsx';
import { toDecimalText } from '../../../parts/charts/price-steps.ts';
import { Field } from '../../../parts/field.tsx';
import { EmptyNote, ErrorNote } from '../../../parts/status.tsx';
import { useControl } from '../activity/activity.tsx';
import type { Effects } from '../effects/use-effects.ts';
import { type FeedPrice, formatFeedPrice, type PastPrice } from './feed-history.ts';

/** How far the buttons move a price, in percent. */
const STEPS = [-10, -1, 1, 10] as const;

/** A price that is set, and what it was: by the time of the answer the feed may have been read again. */
interface PriceMove {
  readonly next: string;
  readonly was: string;
}

/** Moves the price of a feed: by dragging its line, by its arrow keys, by buttons, or as an exact number. */
export function PriceControl({
  feed: { symbol, price, confidence, publishTime, feed: address, follows },
  past,
  effects,
}: {
  readonly feed: FeedPrice;
  readonly past: readonly PastPrice[];
  readonly effects: Effects;
}) {
  const [draft, setDraft] = useState<number | null>(null);
  const [text, setText] = useState<string | null>(null);
  const setPrice = useControl<FeedPrice, PriceMove>({
    act: async ({ next }) => {
      const answer = await callAdminOperation('PUT /admin/v1/network/prices/{symbol}', {
        path: { symbol },
        body: { price: next },
      });
      effects.watchMove();
      return answer;
    },
    nameAct: ({ next }) => `Set the price of ${symbol} to $${next}`,
    describeResult: (answer, { was }) => `It was $${was}, and is $${answer.price}`,
    makeUndo: (_, { next, was }) => (next === was ? null : () => setPrice.mutate({ next: was, was: next })),
  });
  const commit = (next: string) =>
    setPrice.mutate(
      { next, was: price },
      {
        onSettled: () => {
          setDraft(null);
          setText(null);
        },
      },
    );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    commit((text ?? price).trim());
  };
  if (follows !== null)
    return (
      <EmptyNote>
        The price of {symbol} follows that of {follows}: it is worth {formatFeedPrice(price)} now. Move{' '}
        {follows} to move it.
      </EmptyNote>
    );
  return (
    <div className="price-control">
      <DraggablePrice
        label={`Price of ${symbol} in US dollars`}
        points={past}
        value={Number(price)}
        draft={draft}
        formatPrice={(value) => `$${toDecimalText(value)}`}
        onDraft={(next) => {
          setDraft(next);
          setText(next === null ? null : toDecimalText(next));
        }}
        onCommit={(next) => commit(toDecimalText(next))}
        disabled={setPrice.isPending}
      />
      <p className="controls__note">
        Drag the line, or focus it and use the arrow keys. {symbol} is {formatFeedPrice(price)}, give or take
        ${confidence}, since {formatUtcTime(Number(publishTime) * 1_000)}. Feed{' '}
        <AddressText address={address} />
      </p>
      <form className="controls__line" onSubmit={submit}>
        <Field label="Exact price in US dollars">
          {(control) => (
            <input
              {...control}
              inputMode="decimal"
              autoComplete="off"
              value={text ?? price}
              onChange={({ target }) => setText(target.value)}
            />
          )}
        </Field>
        <Button type="submit" kind="primary" busy={setPrice.isPending}>
          Set the price
        </Button>
        {STEPS.map((percent) => (
          <Button
            key={percent}
            disabled={setPrice.isPending}
            onClick={() => commit(scalePrice(price, percent))}
          >
            {percent > 0 ? '+' : '\u2212'}
            {Math.abs(percent)}%
          </Button>
        ))}
      </form>
      {setPrice.error === null ? null : <ErrorNote error={setPrice.error} />}
    </div>
  );
}

function scalePrice(price: string, percent: number): string {
  return toDecimalText(Number((Number(price) * (1 + percent / 100)).toPrecision(6)));
}
