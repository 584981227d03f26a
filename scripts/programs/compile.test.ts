import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestNetwork } from '../../src/testing/svm/network.ts';
import { NEEDS_TOOLCHAIN, ProgramCompiler, toolchain } from '../../src/testing/svm/program-compiler.ts';
import { CompileError } from './compile.ts';
import { LinkError } from './link.ts';

describe.skipIf(toolchain === null)(`compiling (${NEEDS_TOOLCHAIN})`, () => {
  let compiler: ProgramCompiler;
  beforeAll(async () => {
    compiler = await ProgramCompiler.open();
  });
  afterAll(() => compiler?.close());

  it('makes a program that runs', async () => {
    const program = await compile(source('Err(ProgramError::custom(7000 + data[0] as u32))'));
    expect(returned(program, Uint8Array.of(5))).toBe(7005);
  });

  it('stops a program whose sum overflows or whose index is out of bounds', async () => {
    const body = 'let sum = data[0] + data[1]; Err(ProgramError::custom(sum as u32))';
    const program = await compile(source(body));
    expect(returned(program, Uint8Array.of(100, 155))).toBe(255);
    const network = new TestNetwork();
    const programAddress = network.newAddress();
    network.loadProgram(programAddress, program);
    for (const data of [Uint8Array.of(100, 156), Uint8Array.of(1)]) {
      const { error } = network.send([{ programAddress, accounts: [], data }]);
      expect(error?.kind).toBe('ProgramFailedToComplete');
    }
  });

  it('refuses a function that needs more than the stack frame', async () => {
    const body =
      'let mut table = [data[0] as u64; 520]; fill(&mut table); log::numbers(table[data[0] as usize], 0, 0, 0, 0); Ok(())';
    const fill =
      '#[inline(never)] fn fill(table: &mut [u64; 520]) { for i in 1..520 { table[i] ^= table[i - 1]; } }';
    const failure = compile(source(body, fill));
    await expect(failure).rejects.toThrow(CompileError);
    await expect(failure).rejects.toThrow('stack limit is exceeded');
  });

  it('refuses multiplications that the network cannot do', async () => {
    const body =
      'let product = data.len() as u128 * program.0[0] as u128 * u64::MAX as u128; log::numbers((product >> 64) as u64, 0, 0, 0, 0); Ok(())';
    await expect(compile(source(body))).rejects.toThrow('__multi3');
  });

  it('refuses state that outlives a call', async () => {
    const failure = compile(
      source('unsafe { CALLS += 1; log::numbers(CALLS, 0, 0, 0, 0); } Ok(())', 'static mut CALLS: u64 = 3;'),
    );
    await expect(failure).rejects.toThrow(LinkError);
    await expect(failure).rejects.toThrow('a program has no writable data');
  });

  it('refuses functions that do not exist on the network', async () => {
    const failure = compile(
      source('unsafe { printf(data.as_ptr()) } Ok(())', 'extern "C" { fn printf(text: *const u8); }'),
    );
    await expect(failure).rejects.toThrow('symbol printf: the symbol is not defined');
  });

  const compile = (rust: string): Promise<Uint8Array> => compiler.compile(rust);

  function returned(program: Uint8Array, data: Uint8Array): number | undefined {
    const network = new TestNetwork();
    const programAddress = network.newAddress();
    network.loadProgram(programAddress, program);
    return network.send([{ programAddress, accounts: [], data }]).error?.custom;
  }
});

/** Returns a program whose `process` has this body, which can use `program`, `accounts` and `data`. */
function source(body: string, items = ''): string {
  return `
    #![no_std]
    #![allow(unused, static_mut_refs)]
    use sluice_program::{log, Account, Address, ProgramError, Result};
    sluice_program::entrypoint!(process);
    ${items}
    fn process(program: &Address, accounts: &[Account], data: &[u8]) -> Result { ${body} }
  `;
}
