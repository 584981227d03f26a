import { formatForError } from '../../../common/format-for-error.ts';
import { SwapRefused } from '../errors.ts';
import { PUBLIC_VENUES } from './public-venues.ts';
import { optionalList, type Query } from '../query.ts';

/** A choice of venues by label. */
export interface VenueChoice {
  readonly kind: 'only' | 'except';
  readonly labels: ReadonlySet<string>;
}

/**
 * Reads `dexes` and `excludeDexes`. Venues of the public interface without pools here are accepted and have no
 * effect.
 * @throws SwapRefused when both are given, or for labels that are neither `known` nor public
 */
export function venueChoice(query: Query, known: readonly string[]): VenueChoice | undefined {
  const only = optionalList(query, 'dexes');
  const except = optionalList(query, 'excludeDexes');
  if (only !== undefined && except !== undefined) {
    throw new SwapRefused('dexes and excludeDexes exclude each other; give one of them');
  }
  const [name, labels] = only !== undefined ? ['dexes', only] : ['excludeDexes', except];
  if (labels === undefined) return undefined;
  const unknown = labels.find((label) => !known.includes(label) && !PUBLIC_VENUES.has(label));
  if (unknown !== undefined) {
    throw new SwapRefused(
      `${name} names ${formatForError(unknown)}, which is not one of: ${known.join(', ')}`,
    );
  }
  return { kind: only !== undefined ? 'only' : 'except', labels: new Set(labels) };
}

export function allowsVenue(choice: VenueChoice | undefined, label: string): boolean {
  return choice === undefined || choice.labels.has(label) === (choice.kind === 'only');
}
