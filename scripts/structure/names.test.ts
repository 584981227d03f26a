import { describe, expect, it } from 'vitest';
import { findOfFunctions, findRepeatedTypes } from './names.ts';

describe('findRepeatedTypes', () => {
  it('returns exported names that several files declare', () => {
    expect(findRepeatedTypes(sources, 'exported')).toEqual([
      'Answer: src/a.ts, src/b.ts',
      'Queue: src/a.ts, src/b.ts',
    ]);
  });

  it('also returns names that are not exported, if asked for all', () => {
    expect(findRepeatedTypes(sources, 'all')).toContain('Place: src/a.ts, src/b.ts');
  });

  const sources = new Map([
    ['src/a.ts', 'export interface Answer {}\ninterface Place {}\nexport class Queue {}\n'],
    [
      'src/b.ts',
      'export type Answer = string;\nexport type Place = string;\nexport abstract class Queue {}\n',
    ],
    ['src/c.ts', "export type { Kind } from './d.ts';\n  type Inner = string;\n/** export type Kind */\n"],
    ['src/d.ts', 'export const Kind = {} as const;\nexport type Kind = string;\ntype Inner = number;\n'],
  ]);
});

describe('findOfFunctions', () => {
  it('returns each name once, whether exported or local', () => {
    const sources = new Map([
      ['src/a.ts', 'export function sizeOf() {}\nexport async function ownerOf() {}\n'],
      ['src/b.ts', 'function sizeOf() {\n  function innerOf() {}\n}\n// function commentOf\n'],
      ['src/c.ts', 'function getSize() {}\nfunction TypeOf() {}\nsizeOf();\nfunction offsets() {}\n'],
    ]);
    expect(findOfFunctions(sources)).toEqual(['innerOf', 'ownerOf', 'sizeOf']);
  });
});
