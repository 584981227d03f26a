import './sparkline.css';
import { useId } from 'react';
import { drawSparkline } from './draw-sparkline.ts';

const WIDTH = 220;
const HEIGHT = 40;

/** How an amount went, as a small line, with its bounds in its description. */
export function Sparkline({
  values,
  title,
  format,
}: {
  /** The oldest first. */
  readonly values: readonly bigint[];
  readonly title: string;
  readonly format: (value: bigint) => string;
}) {
  const id = useId();
  const { path, last, least, most } = drawSparkline(values, WIDTH, HEIGHT);
  const range = least === most ? `all ${format(least)}` : `from ${format(least)} to ${format(most)}`;
  const text = `${values.length} quotes, ${range}`;
  return (
    <figure className="sparkline">
      <svg role="img" aria-labelledby={`${id}-title ${id}-text`} width={WIDTH} height={HEIGHT}>
        <title id={`${id}-title`}>{title}</title>
        <desc id={`${id}-text`}>{text}</desc>
        <path d={path} className="sparkline__line" />
        <circle cx={last.x} cy={last.y} r={3} className="sparkline__point" />
      </svg>
      <figcaption>{text}</figcaption>
    </figure>
  );
}
