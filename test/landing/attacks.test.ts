import { describe, expect, it, vi } from 'vitest';
import { ALICE, BOB } from '../../src/testing/chain/bank.ts';
import type { Address } from '../../src/solana/address.ts';
import { type Keypair, createKeypairFromSeed } from '../../src/solana/keypair.ts';
import { compileMessage } from '../../src/solana/messages/compile-message.ts';
import type { Instruction } from '../../src/solana/messages/instruction.ts';
import { SIGNATURE_BYTES } from '../../src/solana/messages/signature.ts';
import { signTransaction } from '../../src/solana/messages/transaction.ts';
import { SYSTEM_PROGRAM } from '../../src/solana/program-addresses.ts';
import { memo } from '../../src/solana/programs/memo.ts';
import { transferLamports } from '../../src/solana/programs/system.ts';
import { KEY, openLandingWorld, rpcRequest, TIP, TIP_ACCOUNT, tipFrom } from './world.ts';
import { openForAll } from '../../src/testing/opened.ts';

/** The only lookup table that Sluice knows, and one that anybody may have filled with the tip accounts. */
const KNOWN_TABLE = createKeypairFromSeed(new Uint8Array(32).fill(71)).address;

const world = openForAll(
  () =>
    openLandingWorld((chain) => ({
      market: {
        chain,
        lookupTables: { contentsOf: (table) => (table === KNOWN_TABLE ? [BOB.address, TIP_ACCOUNT] : null) },
      },
    })),
  'close',
);

describe('a tip that is none', () => {
  it('is one that another program would have to pay', async () => {
    // The bytes are those of a tip, and the accounts too, but the program is another one.
    const disguised = { ...tipFrom(), programAddress: memo('').programAddress };
    expect(await codeOf(signed([disguised], [ALICE]))).toBe(NO_TIP);
  });

  it('is a transfer with a seed, whose payer does not sign', async () => {
    const tip = tipFrom();
    const withSeed = new Uint8Array(tip.data);
    withSeed[0] = 11;
    expect(await codeOf(signed([{ ...tip, data: withSeed }], [ALICE]))).toBe(NO_TIP);
  });

  it('is one to oneself, or to an account of a table that Sluice does not know', async () => {
    expect(await codeOf(signed([transferLamports(ALICE.address, ALICE.address, TIP)], [ALICE]))).toBe(NO_TIP);
    expect(await codeOf(signed([tipFrom(ALICE, TIP + 10n)], [ALICE], STRANGE_TABLE))).toBe(NO_TIP);
    expect(await codeOf(signed([tipFrom(ALICE, TIP + 10n)], [ALICE], KNOWN_TABLE))).toEqual(
      expect.any(String),
    );
  });

  it('is the sum of several', async () => {
    const halves = [tipFrom(ALICE, TIP / 2n), tipFrom(ALICE, TIP - 1n), memo('more')];
    expect(await codeOf(signed(halves, [ALICE]))).toBe(SMALL_TIP);
  });
});

describe('a transaction that fails on chain', () => {
  it('pays its fee and no tip, and its report says so; nothing is sent for it any more', async () => {
    const poor = await wallet(73, 5_000_000n);
    const before = await world.lamports(TIP_ACCOUNT);
    const tooMuch = transferLamports(poor.address, BOB.address, 100_000_000n);
    const signature = await codeOf(signed([tipFrom(poor), tooMuch], [poor]));
    await vi.waitFor(async () => expect((await reportOf(signature)).outcome).toBe('failed'), WAIT);
    expect(await world.lamports(TIP_ACCOUNT)).toBe(before);
    expect(await world.lamports(poor.address)).toBe(5_000_000n - 5_000n);
    const report = await reportOf(signature);
    expect(String(report.error)).toContain('InstructionError');
  });
});

describe('bytes that resemble those that were accepted', () => {
  it('are refused: another message under a known signature, or another second signature', async () => {
    const wire = both();
    expect(await codeOf(wire)).toEqual(expect.any(String));
    const last = wire.length - 1;
    expect(await codeOf(changed(wire, last, (byte) => byte ^ 1))).toBe(INVALID_PARAMS);
    const ofBob = 1 + SIGNATURE_BYTES;
    expect(await codeOf(changed(wire, ofBob, (byte) => byte ^ 1))).toBe(INVALID_PARAMS);
    const unsigned = new Uint8Array(wire).fill(0, ofBob, ofBob + SIGNATURE_BYTES);
    expect(await codeOf(unsigned)).toBe(INVALID_PARAMS);
  });

  it('are one transaction if they are the same, however often and by whomever they are sent', async () => {
    const wire = signed([tipFrom(ALICE, TIP + 30n)], [ALICE]);
    const before = await world.lamports(TIP_ACCOUNT);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        world.post('/tx/v1', rpcRequest(wire), index % 2 === 0 ? { 'x-api-key': KEY } : {}),
      ),
    );
    const results = new Set(answers.map(({ json }) => json.result));
    expect([...results]).toEqual([expect.any(String)]);
    await vi.waitFor(async () => expect((await reportOf([...results][0])).outcome).toBe('confirmed'), WAIT);
    expect((await world.lamports(TIP_ACCOUNT)) - before).toBe(TIP + 30n);
  });

  /** Two signers, so that the first signature, by which the transaction is known, says nothing of the second. */
  const both = () =>
    signed([tipFrom(ALICE, TIP + 20n), transferLamports(BOB.address, ALICE.address, 1n)], [ALICE, BOB]);
  const changed = (wire: Uint8Array, at: number, by: (byte: number) => number) => {
    const copy = new Uint8Array(wire);
    copy[at] = by(copy[at] ?? 0);
    return copy;
  };
});

const WAIT = { interval: 20 };
const NO_TIP = -1_014;
const SMALL_TIP = -1_013;
const INVALID_PARAMS = -32_602;

const STRANGE_TABLE = createKeypairFromSeed(new Uint8Array(32).fill(72)).address;

async function codeOf(wire: Uint8Array): Promise<unknown> {
  const { json } = await world.post('/tx/v1', rpcRequest(wire), { 'x-api-key': KEY });
  return (json.error as { code?: number } | undefined)?.code ?? json.result;
}

/** Signed by all of the signers, with the newest blockhash; the tip account may come from a table. */
function signed(
  instructions: readonly Instruction[],
  signers: readonly Keypair[],
  table?: Address,
): Uint8Array {
  const blockhash = world.chain.recentBlockhash().bytes;
  const lookupTables = table === undefined ? null : { [table]: [BOB.address, TIP_ACCOUNT] };
  const feePayer = (signers[0] as Keypair).address;
  return signTransaction(compileMessage({ feePayer, blockhash, instructions, lookupTables }), signers);
}

async function wallet(seed: number, lamports: bigint): Promise<Keypair> {
  const keypair = createKeypairFromSeed(new Uint8Array(32).fill(seed));
  const account = {
    lamports,
    owner: SYSTEM_PROGRAM,
    data: new Uint8Array(0),
    executable: false,
    rentEpoch: 0n,
  };
  await world.chain.setAccounts([{ address: keypair.address, account }]);
  return keypair;
}

async function reportOf(signature: unknown) {
  const answer = await fetch(`${world.url}/tx/v1/reports/${signature}`, { headers: { 'x-api-key': KEY } });
  return (await answer.json()) as Record<string, unknown>;
}
