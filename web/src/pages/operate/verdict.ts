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

/** Decides whether everything works, by the parts alone. */
export function createVerdict({ parts, instance }: Pick<OperationView, 'parts' | 'instance'>): Verdict {
  const broken = parts
    .filter(({ works }) => !works)
    .toSorted((one, other) => Number(one.optional) - Number(other.optional) || one.since - other.since);
  const needed = broken.filter(({ optional }) => !optional);
  // Nothing has failed, because nothing was looked at: the first checks take a moment, or hang.
  if (parts.length === 0)
    return { tone: 'warning', text: 'No part has been checked', since: instance.startedAt, broken };
  if (broken.length === 0) {
    const since = Math.max(instance.startedAt, ...parts.map((part) => part.since));
    return { tone: 'good', text: 'Everything works', since, broken };
  }
  const shown = needed.length > 0 ? needed : broken;
  const since = Math.min(...shown.map((part) => part.since));
  const verb = shown.length === 1 ? 'does' : 'do';
  const names = listNames(shown.map(({ name }) => name));
  return needed.length > 0
    ? { tone: 'danger', text: `Not ready: ${names} ${verb} not work`, since, broken }
    : { tone: 'warning', text: `Requests are served, but ${names} ${verb} not work`, since, broken };
}

/** `a`, `a and b`, `a, b and c`. */
function listNames(names: readonly string[]): string {
  return names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
