import { describe, expect, it } from 'vitest';
import { findErrorClasses, findReasonsAsText } from './refusals.ts';

describe('findErrorClasses', () => {
  it('returns classes that extend an error directly or through others', () => {
    const sources = new Map([
      ['src/a.ts', 'export class Refused extends Error {}\nclass Overflow extends RangeError {}\n'],
      [
        'src/b.ts',
        'export class Lost<T> extends Refused {}\nclass Reader extends Base {}\n// class No extends Error\n',
      ],
      ['src/c.ts', 'export class Gone extends Lost<string> {}\nclass Base {}\n'],
    ]);
    expect(findErrorClasses(sources)).toEqual([
      'Gone: src/c.ts',
      'Lost: src/b.ts',
      'Overflow: src/a.ts',
      'Refused: src/a.ts',
    ]);
  });
});

describe('findReasonsAsText', () => {
  it.each([
    [
      'its name says so',
      'export function findProblem(value: string): string | null {\n  return value;\n}\n',
      'findProblem',
    ],
    ['it has a sentence', "function check(): string | null {\n  return 'it is late';\n}\n", 'check'],
    [
      'it has a sentence with values',
      `function check(\n  most: number,\n): string | null {\n  return \`\${most} are too many\`;\n}\n`,
      'check',
    ],
    [
      'it resolves to one',
      "class A {\n  async #ask(): Promise<string | null> {\n    return 'it is late';\n  }\n}\n",
      '#ask',
    ],
    [
      'it returns one by an arrow',
      "const check = (at: number): string | null =>\n  at > 0 ? null : 'it is late';\n",
      'check',
    ],
    [
      'its name as a field says so',
      'interface A {\n  readonly unhealthy: () => string | null;\n}\n',
      'unhealthy',
    ],
  ])('counts a function because %s', (_, text, name) => {
    expect(findReasonsAsText(new Map([['src/a.ts', text]]))).toEqual([`${name}: src/a.ts`]);
  });

  it('counts functions that call one, and declarations of their names', () => {
    const sources = new Map([
      ['src/a.ts', "export function check(): string | null {\n  return 'it is late';\n}\n"],
      ['src/b/b.ts', 'class B {\n  submitted(): string | null {\n    return check();\n  }\n}\n'],
      ['src/b/c.ts', 'interface C {\n  submitted(): string | null;\n  other(): string | null;\n}\n'],
      ['src/d/d.ts', 'interface D {\n  submitted(): string | null;\n}\n'],
    ]);
    expect(findReasonsAsText(sources)).toEqual([
      'check: src/a.ts',
      'submitted: src/b/b.ts',
      'submitted: src/b/c.ts',
    ]);
  });

  it.each([
    [
      'has no text of several words',
      `function find(at: number): string | null {\n  return at > 0 ? 'a-key' : \`\${at} \${at}\`;\n}\n`,
    ],
    [
      'has it after its end',
      "function find(): string | null {\n  return null;\n}\n\nconst TEXT = 'it is late';\n",
    ],
    ['only throws it', "function find(): string | null {\n  throw new Error('it is late');\n}\n"],
    ['has another result', "function check(): string {\n  return 'it is late';\n}\n"],
    [
      'can also return a value',
      "function check(): { a: string | null } {\n  return { a: 'it is late' };\n}\n",
    ],
  ])('does not count a function that %s', (_, text) => {
    expect(findReasonsAsText(new Map([['src/a.ts', text]]))).toEqual([]);
  });
});
