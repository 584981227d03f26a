import { readFileSync } from 'node:fs';
import { AS_THE_PUBLIC_SERVICE, startInstance } from './instance.ts';
import { checkStatements, type Finding, namedDifferences } from './statement.ts';
import { STATEMENTS } from './statements/index.ts';
import { openWorld } from './world.ts';

/**
 * `npm run conformance [-- prefix...]`: starts an instance, asks it about every statement whose id begins with one of the
 * prefixes, or about all of them, and prints those that do not hold. Ends with 1 if one of them is not named in
 * `docs/compatibility.md`, or if one that is named there holds.
 */
const prefixes = process.argv.slice(2);
const selected = STATEMENTS.filter(
  ({ id }) => prefixes.length === 0 || prefixes.some((prefix) => id.startsWith(prefix)),
);
if (selected.length === 0) {
  console.error(`no statement begins with ${prefixes.join(' or ')}`);
  process.exit(2);
}
const named = namedDifferences(readFileSync(new URL('../docs/compatibility.md', import.meta.url), 'utf8'));

const instance = await startInstance(AS_THE_PUBLIC_SERVICE);
try {
  const findings = await checkStatements(selected, await openWorld(instance), print);
  const held = findings.filter(({ seen }) => seen === null).length;
  const wrong = findings.filter(isWrong).length;
  console.log(
    `${held} of ${findings.length} statements hold; ${findings.length - held - wrong} differ on purpose`,
  );
  if (wrong > 0) console.log(`${wrong} are neither held nor named rightly in docs/compatibility.md`);
  process.exitCode = wrong === 0 ? 0 : 1;
} finally {
  await instance.stop();
}

function isWrong({ statement, seen }: Finding): boolean {
  return (seen === null) === named.has(statement.id);
}

function print({ statement, seen }: Finding): void {
  const { id, says } = statement;
  if (seen !== null && !named.has(id)) console.log(`DIFFERS  ${id}: ${says}\n         seen: ${seen}`);
  if (seen !== null && named.has(id)) console.log(`NAMED    ${id}: ${says}\n         seen: ${seen}`);
  if (seen === null && named.has(id)) console.log(`HOLDS    ${id}, but docs/compatibility.md names it`);
}
