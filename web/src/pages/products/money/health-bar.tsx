import './health-bar.css';

/** A place on the bar, from 0 at the left to 1 at the right. */
export interface HealthMark {
  readonly at: number;
  readonly label: string;
  readonly kind: 'limit' | 'danger';
}

/** How healthy a loan is, as a bar that fills towards the liquidation. The texts say all that the colours say. */
export function HealthBar({
  filled,
  text,
  tone,
  marks,
}: {
  /** From 0 to 1; null if it is not known. */
  readonly filled: number | null;
  /** Said beside the bar. */
  readonly text: string;
  readonly tone: 'good' | 'warning' | 'danger' | 'plain';
  readonly marks: readonly HealthMark[];
}) {
  const percent = filled === null ? null : Math.round(clamp(filled) * 1_000) / 10;
  return (
    <div className={`health-bar health-bar--${tone}`}>
      {/* The text says what the bar shows. */}
      <div className="health-bar__track" aria-hidden="true">
        {percent === null ? null : <div className="health-bar__fill" style={{ width: `${percent}%` }} />}
        {marks.map(({ at, label: name, kind }) => (
          <span
            key={name}
            className={`health-bar__mark health-bar__mark--${kind}`}
            style={{ left: `${clamp(at) * 100}%` }}
            title={name}
          />
        ))}
      </div>
      <p className="health-bar__text">{text}</p>
      {marks.length === 0 ? null : (
        <ul className="health-bar__legend">
          {marks.map(({ label: name, kind }) => (
            <li key={name} className={`health-bar__key health-bar__key--${kind}`}>
              {name}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function clamp(share: number): number {
  return Math.min(Math.max(share, 0), 1);
}
