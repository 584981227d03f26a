import './charts.css';
import './share-bar.css';
import type { ReactNode } from 'react';
import { EmptyNote } from '../status.tsx';

/** A part of a whole. */
export interface SharePart {
  readonly name: ReactNode;
  readonly key: string;
  /** Its size, in the unit of all parts. Parts that are not above zero have no share. */
  readonly value: number;
  /** The exact size, with its unit. */
  readonly text: string;
  /** The share as a text. Default: computed from the sizes, with one digit behind the point. */
  readonly share?: string;
}

/** Parts that have a colour of their own. The others share the last one. */
const COLOURS = 6;

/** How a whole is divided: a bar of its parts, and a list with the size of each. The parts keep their order. */
export function ShareBar({
  label,
  parts,
  empty = 'There is nothing to divide.',
}: {
  /** The accessible name of the list. */
  readonly label: string;
  readonly parts: readonly SharePart[];
  readonly empty?: ReactNode;
}) {
  const whole = parts.reduce((sum, { value }) => sum + Math.max(value, 0), 0);
  if (!(whole > 0)) return <EmptyNote>{empty}</EmptyNote>;
  return (
    <div className="share-bar">
      <div className="share-bar__bar" aria-hidden="true">
        {parts.map(({ key, value }, index) =>
          value > 0 ? (
            <span
              key={key}
              className={`share-bar__part ${toColour(index)}`}
              style={{ flexGrow: value / whole, flexBasis: 0 }}
            />
          ) : null,
        )}
      </div>
      <ul className="share-bar__list" aria-label={label}>
        {parts.map(({ key, name, value, text, share }, index) => (
          <li key={key}>
            <span className={`chart__key ${toColour(index)}`} aria-hidden="true" />
            <span className="share-bar__name">{name}</span>
            <span className="share-bar__value">
              {text}, {share ?? `${((Math.max(value, 0) / whole) * 100).toFixed(1)}%`}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Values by name as horizontal bars, for names that are longer than a chart has room for. */
export function BarList({
  label,
  bars,
  empty = 'There is nothing to compare yet.',
}: {
  /** The accessible name. */
  readonly label: string;
  readonly bars: readonly {
    readonly key: string;
    readonly name: ReactNode;
    readonly value: number;
    /** The exact value, with its unit. */
    readonly text: string;
    readonly tone?: 'series-1' | 'series-2' | 'series-6' | 'good' | 'bad' | 'warning';
  }[];
  readonly empty?: ReactNode;
}) {
  const most = Math.max(0, ...bars.map(({ value }) => value));
  if (bars.length === 0) return <EmptyNote>{empty}</EmptyNote>;
  return (
    <dl className="bar-list" aria-label={label}>
      {bars.map(({ key, name, value, text, tone = 'series-1' }) => (
        <div key={key} className="bar-list__row">
          <dt>{name}</dt>
          <dd className={`bar-list__track chart--${tone}`} aria-hidden="true">
            <div
              className="bar-list__bar"
              style={{ width: `${most > 0 ? (Math.max(value, 0) / most) * 100 : 0}%` }}
            />
          </dd>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  );
}

function toColour(index: number): string {
  return `chart--series-${Math.min(index + 1, COLOURS)}`;
}
