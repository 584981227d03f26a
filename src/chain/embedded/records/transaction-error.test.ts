import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import * as litesvm from 'litesvm/dist/internal.js';
import { describe, expect, it } from 'vitest';
import { transactionErrorOf } from './transaction-error.ts';

/** The members of an enum in LiteSVM's declarations: at run time it does not exist. */
function membersOf(name: string): [string, number][] {
  const path = createRequire(import.meta.url).resolve('litesvm/dist/internal.d.ts');
  const declarations = readFileSync(path, 'utf8');
  const body = new RegExp(`enum ${name} \\{([^}]*)\\}`).exec(declarations)?.[1] ?? '';
  return Array.from(body.matchAll(/(\w+) = (\d+)/g), ([, member, number]) => [member ?? '', Number(number)]);
}

describe('transactionErrorOf', () => {
  it('names every error of LiteSVM as the runtime does', () => {
    const names = membersOf('TransactionErrorFieldless');
    expect(names).toHaveLength(35);
    for (const [name, number] of names) expect(transactionErrorOf(number)).toBe(name);
    expect(() => transactionErrorOf(99 as never)).toThrow(/not known: 99/);
  });

  it('names every instruction error', () => {
    const names = membersOf('InstructionErrorFieldless');
    expect(names).toHaveLength(53);
    for (const [name, number] of names) {
      const error = Object.assign(Object.create(litesvm.TransactionErrorInstructionError.prototype), {
        err: () => number,
      });
      Object.defineProperty(error, 'index', { value: 3 });
      expect(transactionErrorOf(error)).toEqual({ InstructionError: [3, name] });
    }
  });
});
