import { randomBytes } from 'node:crypto';
import {
  appendTransactionMessageInstructions,
  type Blockhash,
  compileTransactionMessage,
  createTransactionMessage,
  getCompiledTransactionMessageEncoder,
  getProgramDerivedAddress,
  type Instruction as KitInstruction,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit';
import { findAssociatedTokenPda } from '@solana-program/token';
import { type Address, toAddressBytes, toAddress } from '../src/solana/address.ts';
import { compileMessage, type MessageSource } from '../src/solana/messages/compile-message.ts';
import { setComputeUnitLimit, setComputeUnitPrice } from '../src/solana/programs/compute-budget.ts';
import { AccountRole } from '../src/solana/messages/instruction.ts';
import { deriveAssociatedTokenAddress, findProgramAddress } from '../src/solana/pda.ts';
import { TOKEN_PROGRAM } from '../src/solana/program-addresses.ts';
import { transferLamports } from '../src/solana/programs/system.ts';
import type { Row } from './row.ts';

export const title = 'Addresses and messages';

const COLD = 20_000;
const CACHED = 1_000;
const KIT = 1_000;

export async function run(): Promise<readonly Row[]> {
  return [...(await programAddresses()), ...(await associatedAddresses()), ...messages()];
}

async function programAddresses(): Promise<Row[]> {
  const seeds = Array.from({ length: COLD }, () => randomBytes(32));
  const derive = (i: number) => findProgramAddress(TOKEN_PROGRAM, [at(seeds, i)]);
  derive(COLD - 1);
  const cold = rate(COLD - 1, derive);
  const cached = rate(1_000_000, (i) => derive(i % CACHED));
  const kit = await rateAsync(KIT, (i) =>
    getProgramDerivedAddress({ programAddress: TOKEN_PROGRAM, seeds: [at(seeds, i)] }),
  );
  return derivations('program addresses', { cold, cached, kit });
}

async function associatedAddresses(): Promise<Row[]> {
  const owners = randomAddresses(COLD);
  const mint = at(randomAddresses(1), 0);
  const derive = (i: number) => deriveAssociatedTokenAddress(at(owners, i), mint, TOKEN_PROGRAM);
  derive(COLD - 1);
  const cold = rate(COLD - 1, derive);
  const cached = rate(1_000_000, (i) => derive(i % CACHED));
  const kit = await rateAsync(KIT, (i) =>
    findAssociatedTokenPda({ owner: at(owners, i), mint, tokenProgram: TOKEN_PROGRAM }),
  );
  return derivations('associated token addresses', { cold, cached, kit });
}

function derivations(what: string, { cold, cached, kit }: Record<'cold' | 'cached' | 'kit', number>): Row[] {
  return [compared(`${what}, cold`, cold, kit, 5_000), compared(`${what}, cached`, cached, kit, 1_000_000)];
}

function messages(): Row[] {
  const [payer, blockhash, ...others] = randomAddresses(1_002) as [Address, Address, ...Address[]];
  const common = { feePayer: payer, blockhash: toAddressBytes(blockhash) };
  const small = others.map((to, i) => ({
    ...common,
    instructions: [transferLamports(payer, to, BigInt(i))],
  }));
  const swaps = others.map((_, i) => ({ ...common, instructions: swapLike(payer, others, i) }));
  return [
    compiling('small messages (one transfer)', small, 200_000, 3_000),
    compiling('swap-sized messages (4 instructions, 30 accounts)', swaps, 50_000, 500),
  ];
}

function compiling(what: string, sources: readonly MessageSource[], ours: number, theirs: number): Row {
  const cycle = (compile: (source: MessageSource) => unknown) => (i: number) =>
    compile(at(sources, i % sources.length));
  rate(ours / 10, cycle(compileMessage));
  rate(theirs / 10, cycle(kitCompile));
  return compared(what, rate(ours, cycle(compileMessage)), rate(theirs, cycle(kitCompile)), 4_500);
}

function swapLike(payer: Address, pool: readonly Address[], i: number): MessageSource['instructions'] {
  const accounts = Array.from({ length: 26 }, (_, k) => ({
    address: at(pool, (i + 7 * k) % pool.length),
    role: k % 3 === 0 ? AccountRole.WRITABLE : AccountRole.READONLY,
  }));
  const program = at(pool, (i + 500) % pool.length);
  const swap = { programAddress: program, accounts, data: new Uint8Array(60) };
  const wrap = transferLamports(payer, at(accounts, 0).address, 1_000_000_000n);
  return [setComputeUnitLimit(300_000), setComputeUnitPrice(1_000n), wrap, swap];
}

function kitCompile({ feePayer, blockhash, instructions }: MessageSource) {
  const lifetime = {
    blockhash: toAddress(blockhash) as string as Blockhash,
    lastValidBlockHeight: 0n,
  };
  const compiled = pipe(
    createTransactionMessage({ version: 0 }),
    (m) => setTransactionMessageFeePayer(feePayer, m),
    (m) => setTransactionMessageLifetimeUsingBlockhash(lifetime, m),
    (m) => appendTransactionMessageInstructions(instructions as readonly KitInstruction[], m),
    compileTransactionMessage,
  );
  return getCompiledTransactionMessageEncoder().encode(compiled);
}

function compared(what: string, ours: number, kit: number, demanded: number): Row {
  return {
    what,
    measured: `${perSecond(ours)} (${(ours / kit).toFixed(0)}×)`,
    against: `@solana/kit ${perSecond(kit)}`,
    atLeast: perSecond(demanded),
    ok: ours >= demanded,
  };
}

/** Calls per second. */
function rate(count: number, call: (i: number) => unknown): number {
  const started = performance.now();
  for (let i = 0; i < count; i++) call(i);
  return (count * 1000) / (performance.now() - started);
}

async function rateAsync(count: number, call: (i: number) => Promise<unknown>): Promise<number> {
  const started = performance.now();
  for (let i = 0; i < count; i++) await call(i);
  return (count * 1000) / (performance.now() - started);
}

function perSecond(value: number): string {
  return `${Math.round(value).toLocaleString('en')}/s`;
}

function randomAddresses(count: number): Address[] {
  return Array.from({ length: count }, () => toAddress(randomBytes(32)));
}

function at<T>(items: readonly T[], index: number): T {
  const item = items[index];
  if (item === undefined) throw new RangeError(`nothing at ${index} of ${items.length}`);
  return item;
}
