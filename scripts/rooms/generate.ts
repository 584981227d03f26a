import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { ROOMS, refusedBy, type Room, roomsAbove, TESTING } from './rooms.ts';

const BIOME = new URL('../../biome.json', import.meta.url);
const README = new URL('../../README.md', import.meta.url);
const PICTURE = /(<!-- rooms -->\n)[\s\S]*?(<!-- \/rooms -->)/;

interface Override {
  readonly includes: readonly string[];
}

/** Returns the text of `biome.json` with the lint rules of all rooms in place of those that it has. */
export function withLintRules(biome: string): string {
  const configuration = JSON.parse(biome) as { overrides: readonly Override[] };
  const others = configuration.overrides.filter(({ includes }) => !includes[0]?.startsWith('src/'));
  return `${JSON.stringify({ ...configuration, overrides: [...ROOMS.flatMap(rulesOf), ...others] }, null, 2)}\n`;
}

/** Returns the text of the README with the rooms drawn between its two markers. */
export function withPicture(readme: string): string {
  const width = Math.max(...ROOMS.map(({ name }) => name.length)) + 3;
  const lines = [...ROOMS].reverse().map(({ name, holds }) => `${`${name}/`.padEnd(width)}${holds}`);
  return readme.replace(PICTURE, `$1\n\`\`\`text\n${lines.join('\n')}\n\`\`\`\n\n$2`);
}

function rulesOf(room: Room): readonly object[] {
  const above = roomsAbove(room);
  const files = `src/${room.name}/**`;
  const rules = [{ includes: [files], linter: { rules: rulesFor(room, refusedBy(room)) } }];
  if (room.refuses !== undefined) {
    rules.push({ includes: [`${files}/*.test.ts`], linter: { rules: rulesFor(room, above) } });
  }
  return refusedBy(room).length === 0 && room.speaksHttp ? [] : rules;
}

function rulesFor(room: Room, refused: readonly string[]): object {
  const patterns = [
    {
      group: [...refused.map((name) => `**/${name}/**`), `!**/${TESTING}/**`],
      message: `Imports run downward: src/${room.name} may not import these rooms; see scripts/rooms/rooms.ts.`,
    },
  ];
  const paths = { fastify: `src/${room.name} knows nothing of HTTP.` };
  const options = {
    ...(refused.length > 0 ? { patterns } : {}),
    ...(room.speaksHttp ? {} : { paths }),
  };
  return { style: { noRestrictedImports: { level: 'error', options } } };
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  writeFileSync(BIOME, withLintRules(readFileSync(BIOME, 'utf8')));
  writeFileSync(README, withPicture(readFileSync(README, 'utf8')));
}
