import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import * as litesvm from 'litesvm/dist/internal.js';
import { describe, expect, it } from 'vitest';
import { toTransactionError } from './litesvm-error.ts';

describe('toTransactionError', () => {
  it("has the runtime's name for every error of LiteSVM", () => {
    const names = readEnumMembers('TransactionErrorFieldless');
    expect(names).toHaveLength(35);
    for (const [name, number] of names) expect(toTransactionError(number)).toBe(name);
    expect(() => toTransactionError(99 as never)).toThrow(/not known: 99/);
  });

  it('has a name for every instruction error', () => {
    const names = readEnumMembers('InstructionErrorFieldless');
    expect(names).toHaveLength(53);
    for (const [name, number] of names) {
      const error = Object.assign(Object.create(litesvm.TransactionErrorInstructionError.prototype), {
        err: () => number,
      });
      Object.defineProperty(error, 'index', { value: 3 });
      expect(toTransactionError(error)).toEqual({ InstructionError: [3, name] });
    }
  });
});

/** Reads the members of an enum from LiteSVM's declarations, because it does not exist at run time. */
function readEnumMembers(name: string): [string, number][] {
  const path = createRequire(import.meta.url).resolve('litesvm/dist/internal.d.ts');
  const declarations = readFileSync(path, 'utf8');
  const body = new RegExp(`enum ${name} \\{([^}]*)\\}`).exec(declarations)?.[1] ?? '';
  return Array.from(body.matchAll(/(\w+) = (\d+)/g), ([, member, number]) => [member ?? '', Number(number)]);
}
