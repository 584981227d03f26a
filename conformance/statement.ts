import type { World } from './world.ts';

/** One sentence of the specification or of the contract, and how a running instance is asked whether it holds. */
export interface Statement {
  /** `<area>/<what it is about>`: unique, and what `docs/compatibility.md` refers to. */
  readonly id: string;
  /** The statement itself, as a client would rely on it. */
  readonly says: string;
  /**
   * Called once with a running instance.
   * Returns null if the statement holds, otherwise what was seen instead.
   */
  readonly check: (world: World) => Promise<string | null>;
}

export type Finding = { readonly statement: Statement; readonly seen: string | null };

/**
 * Checks statements one after the other, since some of them change organisations, the clock or the network.
 * A check that throws counts as a statement that does not hold.
 */
export async function checkStatements(
  statements: readonly Statement[],
  world: World,
  onFinding: (finding: Finding) => void,
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const statement of statements) {
    const seen = await statement.check(world).catch((error: unknown) => `the check failed: ${error}`);
    const finding = { statement, seen };
    onFinding(finding);
    findings.push(finding);
  }
  return findings;
}

/**
 * Reads the statements that Sluice deliberately does not follow.
 * @param markdown the text of `docs/compatibility.md`
 * @returns the ids that stand in backquotes in the first cell of a table row
 */
export function namedDifferences(markdown: string): ReadonlySet<string> {
  const rows = markdown.matchAll(/^\| `([a-z0-9-]+\/[a-z0-9-]+)` \|/gm);
  return new Set([...rows].map(([, id]) => id ?? ''));
}
