import { PROTOCOLS } from '../../src/protocols/index.ts';
import { orderStandIns } from '../../src/sandbox/genesis/programs.ts';
import type { Program } from './manifest.ts';

/** Returns the stand-ins of all protocols, and the few that are not part of one. A crate has the name of its program. */
export function listPrograms(): readonly Program[] {
  return orderStandIns(PROTOCOLS).map(({ name, address }) => ({ name, crate: name, address }));
}

/** Returns the text of programs/programs.json, which tools read that do not load the protocols. */
export function renderPrograms(): string {
  return `${JSON.stringify(listPrograms(), null, 2)}\n`;
}
