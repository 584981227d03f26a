import { parsePattern, type PatternNode } from './pattern-syntax.ts';
import { RuleError } from './rule-error.ts';

/** A place between two characters of a pattern. */
interface State {
  readonly id: number;
  /** What the next character must be; null: the state leads on without taking one. */
  readonly takes: ((codePoint: number) => boolean) | null;
  /** Where in the text the state may be passed; null: anywhere. */
  readonly at: 'start' | 'end' | null;
  next: readonly State[];
}

/** The most states of a pattern. A comparison takes at most so many steps for each character. */
const MAX_STATES = 2_000;

/**
 * Compiles a regular expression that must match a whole text, as the matchers `=~` and `!~` of Prometheus do.
 * A text is read once, with all states that are possible at each character, so that no pattern takes more than linear time.
 *
 * @param pattern - In the syntax of RE2, without flags and Unicode classes.
 * @returns a function that says whether a text matches
 * @throws RuleError if the pattern is not understood, or too large
 */
export function compilePattern(pattern: string): (text: string) => boolean {
  const states: State[] = [];
  const add = (takes: State['takes'], next: readonly State[], at: State['at'] = null): State => {
    if (states.length >= MAX_STATES)
      throw new RuleError(`the pattern "${pattern.slice(0, 50)}" is too large`);
    const state: State = { id: states.length, takes, at, next };
    states.push(state);
    return state;
  };
  const end = add(null, []);
  const start = buildStates(parsePattern(pattern), end, add);
  return (text) => {
    const points = Array.from(text, (character) => character.codePointAt(0) ?? 0);
    let current = followFrom([start], points, 0);
    for (const [place, point] of points.entries()) {
      if (current.size === 0) return false;
      const reached = [...current].flatMap((state) => (state.takes?.(point) === true ? state.next : []));
      current = followFrom(reached, points, place + 1);
    }
    return current.has(end);
  };
}

/** Returns the states that are reached from others without taking a character, and these themselves. */
function followFrom(from: readonly State[], { length }: readonly number[], place: number): Set<State> {
  const reached = new Set<State>();
  const open = [...from];
  for (let state = open.pop(); state !== undefined; state = open.pop()) {
    if (reached.has(state)) continue;
    if (state.at === 'start' && place > 0) continue;
    if (state.at === 'end' && place < length) continue;
    reached.add(state);
    if (state.takes === null) open.push(...state.next);
  }
  return reached;
}

type AddState = (takes: State['takes'], next: readonly State[], at?: State['at']) => State;

/** Adds the states of a node. Returns the first of them; the last leads to `next`. */
function buildStates(node: PatternNode, next: State, add: AddState): State {
  if (node.kind === 'character') return add(node.matches, [next]);
  if (node.kind === 'anchor') return add(null, [next], node.at);
  if (node.kind === 'sequence')
    return node.parts.reduceRight((after, part) => buildStates(part, after, add), next);
  if (node.kind === 'choice')
    return add(
      null,
      node.choices.map((choice) => buildStates(choice, next, add)),
    );
  return buildRepetition(node, next, add);
}

function buildRepetition(
  { of, least, most }: Extract<PatternNode, { readonly kind: 'repetition' }>,
  next: State,
  add: AddState,
): State {
  let first = next;
  if (most === null) {
    const loop = add(null, []);
    loop.next = [buildStates(of, loop, add), next];
    first = loop;
  } else {
    for (let count = least; count < most; count++) first = add(null, [buildStates(of, first, add), next]);
  }
  for (let count = 0; count < least; count++) first = buildStates(of, first, add);
  return first;
}
