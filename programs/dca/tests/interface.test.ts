import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { DCA_EVENT_AUTHORITY, DCA_PROGRAM } from '../../../src/protocols/jupiter-dca/dca-program.ts';
import { DCA_ERRORS } from '../../../src/protocols/jupiter-dca/errors.ts';
import {
  type AccountMeta,
  type Instruction,
  readonly,
  readonlySigner,
} from '../../../src/solana/messages/instruction.ts';
import { DcaWorld } from './world.ts';

describe('the program', () => {
  it.each(['initiate_dlmm_fill', 'fulfill_dlmm_fill'])('refuses %s, and says what to use', (name) => {
    const { error, logs } = new DcaWorld().send(call(hash(`global:${name}`)));
    expect(error?.custom).toBe(6031);
    expect(logs.join('\n')).toContain('use initiate_flash_fill and fulfill_flash_fill');
  });

  it('refuses what it does not know', () => {
    const world = new DcaWorld();
    expect(world.refusal(call(hash('global:fill')))).toBe(101);
    expect(world.refusal(call(hash('global:open_dca').subarray(0, 7)))).toBe(101);
    expect(world.refusal(call(Buffer.alloc(0)))).toBe(101);
    expect(world.refusal(call(hash('global:open_dca_v2')))).toBe(102);
    expect(world.refusal(call(hash('global:close_dca')))).toBe(3005);
  });

  it('takes events from nobody but itself', () => {
    const world = new DcaWorld();
    const event = Buffer.concat([
      Buffer.from('e445a52e51cb9a1d', 'hex'),
      hash('event:Deposit'),
      Buffer.alloc(40),
    ]);
    expect(world.refusal(call(event))).toBe('NotEnoughAccountKeys');
    expect(world.refusal(call(event, [readonly(DCA_EVENT_AUTHORITY.address)]))).toBe(2002);
    expect(world.refusal(call(event, [readonlySigner(world.user)]))).toBe(2006);
  });

  it('has the numbers of the interface for its errors', () => {
    const source = readFileSync(new URL('../src/errors.rs', import.meta.url), 'utf8');
    const own = [...source.matchAll(/= (6\d{3}) (\w+) /g)].map(([, code, name]) => [Number(code), name]);
    expect(own.length).toBeGreaterThan(30);
    for (const [code, name] of own) expect(DCA_ERRORS[Number(code) - 6_000]).toBe(name);
  });
});

function call(data: Uint8Array, accounts: readonly AccountMeta[] = []): Instruction {
  return { programAddress: DCA_PROGRAM, accounts, data: Uint8Array.from(data) };
}

function hash(text: string): Buffer {
  return createHash('sha256').update(text).digest().subarray(0, 8);
}
