import { joinWords } from '../../base/count-words.ts';
import type { OperationView, PartView } from './operation-shape.ts';

/** What is said first of an instance. */
export interface Verdict {
  readonly tone: 'good' | 'warning' | 'danger';
  readonly text: string;
  /** Since when, in Unix milliseconds by the clock of the instance. */
  readonly since: number;
  /** The parts that do not work, those first without which the instance is not ready. */
  readonly broken: readonly PartView[];
}

/** Decides whether everything works, by the parts. */
export function createVerdict({
  works,
  parts,
  instance,
}: Pick<OperationView, 'works' | 'parts' | 'instance'>): Verdict {
  const broken = parts
    .filter(({ works }) => !works)
    .toSorted((one, other) => Number(one.optional) - Number(other.optional) || one.since - other.since);
  const needed = broken.filter(({ optional }) => !optional);
  // A part that is not listed was not looked at yet: its first check takes a moment, or hangs.
  if (parts.length === 0 || (needed.length === 0 && !works)) {
    const text = parts.length === 0 ? 'No part has been checked' : 'Not every part has been checked';
    return { tone: 'warning', text, since: instance.startedAt, broken };
  }
  if (broken.length === 0) {
    const since = Math.max(instance.startedAt, ...parts.map((part) => part.since));
    return { tone: 'good', text: 'Everything works', since, broken };
  }
  const shown = needed.length > 0 ? needed : broken;
  const since = Math.min(...shown.map((part) => part.since));
  const verb = shown.length === 1 ? 'does' : 'do';
  const names = joinWords(
    shown.map(({ name }) => name),
    'and',
  );
  return needed.length > 0
    ? { tone: 'danger', text: `Not ready: ${names} ${verb} not work`, since, broken }
    : { tone: 'warning', text: `Requests are served, but ${names} ${verb} not work`, since, broken };
}
