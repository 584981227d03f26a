import { Link } from '@tanstack/react-router';
import { useDeferredValue, useState } from 'react';
import { describeFailure } from '../../../../api/call.ts';
import { formatUnits, parseUnits } from '../../../../base/format-amount.ts';
import { formatRate } from '../../../../base/format-brief.ts';
import { Amount } from '../../../../parts/amount.tsx';
import { ChoiceBar } from '../../../../parts/choice-bar.tsx';
import { Field } from '../../../../parts/field.tsx';
import { Panel } from '../../../../parts/page.tsx';
import { Stat, StatList } from '../../../../parts/stat.tsx';
import { formatDistance } from '../data/format-price.ts';
import { type OrientedPool, orientPrice } from '../data/orient-pool.ts';
import { isRefused, usePoolQuote } from '../data/pool-query.ts';
import type { AloneQuote, PoolCurve, PoolDetails, PoolToken } from '../data/pool-shape.ts';

const U64_MAX = (1n << 64n) - 1n;

/** Asks what the pool alone pays for an amount, and shows it. */
export function PoolQuotePanel({
  pool,
  oriented,
}: {
  readonly pool: PoolDetails;
  readonly oriented: OrientedPool;
}) {
  const { base, quote } = oriented;
  const [side, setSide] = useState<'sell' | 'buy'>(() => (findCurve(pool, base) === null ? 'buy' : 'sell'));
  // Null: the reader has not chosen an amount.
  const [typed, setTyped] = useState<string | null>(null);
  const input = side === 'sell' ? base : quote;
  const curve = findCurve(pool, input);
  const text = typed ?? chooseAmount(curve, input);
  const parsed = parseUnits(useDeferredValue(text), input.decimals);
  const amount = parsed !== null && parsed > 0n && parsed <= U64_MAX ? parsed : null;
  const { data, error } = usePoolQuote(
    pool.address,
    input.mint,
    curve === null ? null : amount,
    pool.depth?.revision ?? 0,
  );
  const problem =
    curve === null
      ? `The pool takes no ${input.symbol} now: its program would refuse every amount.`
      : amount === null
        ? `An amount of ${input.symbol} above zero, with at most ${input.decimals} digits behind the point.`
        : error === null
          ? null
          : isRefused(error, 409)
            ? describeFailure(error)
            : `The pool could not be asked: ${describeFailure(error)}`;
  return (
    <Panel title="What this pool alone pays">
      <div className="pool-quote">
        <ChoiceBar
          label="Direction"
          choices={[
            ['sell', `Sell ${base.symbol}`],
            ['buy', `Buy with ${quote.symbol}`],
          ]}
          chosen={side}
          onChoose={(chosen) => {
            setSide(chosen);
            setTyped(null);
          }}
        />
        <Field label={`How much ${input.symbol}`} error={problem}>
          {(control) => (
            <input
              {...control}
              type="text"
              inputMode="decimal"
              autoComplete="off"
              value={text}
              onChange={({ target }) => setTyped(target.value)}
            />
          )}
        </Field>
      </div>
      {problem === null && data !== undefined ? (
        <QuotedAmounts
          quoted={data}
          side={side}
          oriented={oriented}
          price={orientPrice(pool.price, oriented)}
          venue={pool.venue}
        />
      ) : null}
    </Panel>
  );
}

/** Returns what the pool pays for amounts of a token; null if it takes none. */
function findCurve({ depth }: PoolDetails, { mint }: PoolToken): PoolCurve | null {
  const curve = depth?.curves.find(({ inputMint }) => inputMint === mint);
  return curve === undefined || curve.points.length === 0 ? null : curve;
}

/** One whole token, or less if that is more than the pool takes. */
function chooseAmount(curve: PoolCurve | null, { decimals }: PoolToken): string {
  const one = 10n ** BigInt(decimals);
  const points = curve?.points ?? [];
  const most = points.at(-1)?.inAmount ?? one;
  return formatUnits(one <= most ? one : (points[Math.floor(points.length / 2)]?.inAmount ?? one), decimals);
}

function QuotedAmounts({
  quoted: { inAmount, outAmount, feeAmount, feeMint },
  side,
  oriented: { base, quote },
  price,
  venue,
}: {
  readonly quoted: AloneQuote;
  readonly side: 'sell' | 'buy';
  readonly oriented: OrientedPool;
  readonly price: number | null;
  readonly venue: string;
}) {
  const [input, output] = side === 'sell' ? [base, quote] : [quote, base];
  const sold = { raw: side === 'sell' ? inAmount : outAmount, decimals: base.decimals };
  const paid = { raw: side === 'sell' ? outAmount : inAmount, decimals: quote.decimals };
  const feeToken = [base, quote].find(({ mint }) => mint === feeMint);
  return (
    <output className="pool-quote__result">
      <StatList>
        <Stat label="It pays" value={<TokenAmount raw={outAmount} token={output} />} />
        <Stat
          label="For one"
          value={`${formatRate(sold, paid) ?? '–'} ${quote.symbol}`}
          note={price === null ? undefined : formatDistance(toNumber(paid) / toNumber(sold), price)}
        />
        {feeToken === undefined ? null : (
          <Stat label="The pool’s fee, included" value={<TokenAmount raw={feeAmount} token={feeToken} />} />
        )}
        <Stat label="It takes" value={<TokenAmount raw={inAmount} token={input} />} />
      </StatList>
      <Link
        to="/routes"
        search={
          {
            inputMint: input.mint,
            outputMint: output.mint,
            amount: inAmount.toString(),
            dexes: venue,
          } as never
        }
        preload={false}
      >
        Quote this amount over {venue} only
      </Link>
    </output>
  );
}

function TokenAmount({ raw, token }: { readonly raw: bigint; readonly token: PoolToken }) {
  return <Amount raw={raw} decimals={token.decimals} symbol={token.symbol} />;
}

/** For a comparison that is shown with few digits. */
function toNumber({ raw, decimals }: { readonly raw: bigint; readonly decimals: number }): number {
  return Number(raw) / 10 ** decimals;
}
