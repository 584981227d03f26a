import { BorshCoder, type Idl } from '@coral-xyz/anchor';
import { convertIdlToCamelCase } from '@coral-xyz/anchor/dist/cjs/idl.js';
import { describe, expect, it } from 'vitest';
import { AGGREGATOR_PROGRAM, DISCRIMINATOR } from '../../../protocol/venue/aggregator-program.ts';
import { Swap } from '../../../protocol/venue/aggregator-step.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../../solana/program-addresses.ts';
import { createIdl } from '../../../solana/programs/idl/idl.ts';
import { routeV2, sharedAccountsRouteV2 } from '../route-v2.ts';
import { AGGREGATOR_INTERFACE } from './interface.ts';
import { SWAP_KINDS } from './swap-kinds.ts';

describe('AGGREGATOR_INTERFACE', () => {
  it('has the discriminators with which instructions are built', () => {
    const idl = createIdl(AGGREGATOR_INTERFACE) as {
      readonly instructions: readonly { readonly name: string; readonly discriminator: readonly number[] }[];
    };
    const declared = new Map(
      idl.instructions.map(({ name, discriminator }) => [toCamel(name), discriminator]),
    );
    // The one that our program refuses.
    const { closeToken, ...carriedOut } = DISCRIMINATOR;
    expect(declared.size).toBe(Object.keys(carriedOut).length);
    expect(declared.has('closeToken'), String(closeToken)).toBe(false);
    for (const [name, discriminator] of Object.entries(carriedOut)) {
      expect(declared.get(name), name).toEqual([...discriminator]);
    }
  });

  it('lets the public client read the routes that are built', () => {
    const coder = new BorshCoder(convertIdlToCamelCase(createIdl(AGGREGATOR_INTERFACE) as Idl));
    const accounts = describeAccounts();
    const terms = { inAmount: 5n, quotedOutAmount: 6n, slippageBps: 7, steps: describeSteps() };
    const built = { routeV2: routeV2(terms, accounts), sharedAccountsRouteV2: shared(terms, accounts) };
    for (const [name, instruction] of Object.entries(built)) {
      const decoded = coder.instruction.decode(Buffer.from(instruction.data));
      expect(decoded?.name).toBe(name);
      const { routePlan, ...rest } = (decoded?.data ?? {}) as { readonly routePlan?: readonly object[] };
      expect(JSON.parse(JSON.stringify(routePlan))).toEqual([
        { swap: { raydiumCp: {} }, bps: 3333, inputIndex: 0, outputIndex: 1 },
        { swap: { whirlpool: { aToB: true } }, bps: 10_000, inputIndex: 1, outputIndex: 2 },
      ]);
      expect(rest).toMatchObject({ slippageBps: 7, platformFeeBps: 0, positiveSlippageBps: 0 });
      const declared = AGGREGATOR_INTERFACE.instructions.find((each) => toCamel(each.name) === name);
      const roles = declared?.accounts.map(([, role]) => role.replace(/ ?optional/, '')) ?? [];
      const named = instruction.accounts.slice(0, roles.length).map(({ role }) => ROLES[role]);
      // An optional account that is left out is the program's own address, which nobody writes.
      const left = instruction.accounts.map(({ address }) => address === AGGREGATOR_PROGRAM);
      expect(named).toEqual(roles.map((role, at) => (left[at] ? '' : role)));
    }
  });

  it('has each kind of step that is built at the place of its tag', () => {
    const kinds = SWAP_KINDS.map(([name]) => name.toLowerCase());
    for (const [name, swap] of Object.entries(Swap)) {
      const step = typeof swap === 'function' ? null : swap;
      if (step === null) expect(kinds, name).toContain(name.toLowerCase());
      else expect(kinds[step[0] ?? -1], name).toBe(name.toLowerCase());
    }
    expect(SWAP_KINDS).toHaveLength(126);
  });
});

const ROLES = ['', 'writable', 'signer', 'writable signer'];

function describeSteps() {
  return [
    { step: { swap: Swap.raydiumCp, accounts: [] }, bps: 3333, inputIndex: 0, outputIndex: 1 },
    { step: { swap: Swap.whirlpool(true), accounts: [] }, bps: 10_000, inputIndex: 1, outputIndex: 2 },
  ];
}

function describeAccounts() {
  return {
    userTransferAuthority: TOKEN_2022_PROGRAM,
    userSourceTokenAccount: TOKEN_PROGRAM,
    userDestinationTokenAccount: TOKEN_PROGRAM,
    sourceMint: TOKEN_PROGRAM,
    destinationMint: TOKEN_PROGRAM,
    sourceTokenProgram: TOKEN_PROGRAM,
    destinationTokenProgram: TOKEN_PROGRAM,
  };
}

function shared(terms: Parameters<typeof routeV2>[0], accounts: ReturnType<typeof describeAccounts>) {
  return sharedAccountsRouteV2(terms, {
    ...accounts,
    authorityId: 3,
    sourceTokenAccount: TOKEN_PROGRAM,
    programSourceTokenAccount: TOKEN_PROGRAM,
    programDestinationTokenAccount: TOKEN_PROGRAM,
    destinationTokenAccount: TOKEN_PROGRAM,
  });
}

function toCamel(snake: string): string {
  return snake.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}
