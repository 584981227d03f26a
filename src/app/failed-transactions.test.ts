import { describe, expect, it } from 'vitest';
import type { Address } from '../solana/address.ts';
import type { Keypair } from '../solana/keypair.ts';
import { getGenesisToken } from '../solana/known-tokens.ts';
import { deriveAssociatedTokenAddress } from '../solana/pda.ts';
import { TOKEN_PROGRAM } from '../solana/program-addresses.ts';
import { compileMessage } from '../solana/messages/compile-message.ts';
import { AccountRole, type Instruction } from '../solana/messages/instruction.ts';
import { addSignatures, parseTransaction, signTransaction } from '../solana/messages/transaction.ts';
import { transferLamports } from '../solana/programs/system.ts';
import { openForAll } from '../testing/opened.ts';
import { openTestSwap } from '../testing/genesis-market/swap.ts';
import { createAppDecoder } from './transaction-decoder.ts';

describe('a failed transaction of the genesis market, decoded', () => {
  const world = openForAll(openWorld);
  const { swap } = world;

  it('says what a route paid that was too little, and what was quoted', async () => {
    const order = await swap.order({ ...SWAP, amount: '100000000', slippageBps: '0' });
    await swap.execute(await swap.order({ ...SWAP, amount: '90000000000', slippageBps: '5000' }));
    const failure = await world.explain(await send(swap.sign(order)));
    expect(failure).toMatchObject({
      kind: 'slippage',
      programLabel: 'Jupiter aggregator',
      code: 6001,
      name: 'SlippageToleranceExceeded',
      call: null,
    });
    expect(failure?.sentence).toMatch(
      /^Jupiter aggregator failed in instruction \d of \d with SlippageToleranceExceeded: the route pays less than/,
    );
    const facts = new Map(failure?.facts.map(({ name, value, unit }) => [name, [value, unit?.symbol]]));
    expect(facts.get('quoted_out_amount')).toEqual([order.outAmount, 'USDC']);
    expect(facts.get('slippage_bps')).toEqual(['0', undefined]);
    const [paid, symbol] = facts.get('the route paid') ?? [];
    expect(symbol).toBe('USDC');
    expect(BigInt(paid ?? 0)).toBeLessThan(BigInt(order.outAmount));
    expect(failure?.advice).toMatch(/slippage/);
  });

  it('says what an account held and needed, of SOL', async () => {
    const wallet = swap.newWallet(SOL_ATOMS);
    const failure = await world.explain(
      await world.land(wallet, [transferLamports(wallet.address, wallet.address, 5n * SOL_ATOMS)]),
    );
    expect(failure).toMatchObject({ kind: 'lamports', program: '1'.repeat(32), instruction: 0, logLine: 1 });
    expect(failure?.facts.map(({ name, value }) => [name, value])).toEqual([
      ['it held', String(SOL_ATOMS - 5_000n)],
      ['it needed', String(5n * SOL_ATOMS)],
    ]);
  });

  it('names the accounts that do not exist', async () => {
    const wallet = swap.newWallet(SOL_ATOMS);
    const source = deriveAssociatedTokenAddress(wallet.address, USDC, TOKEN_PROGRAM);
    const failure = await world.explain(await world.land(wallet, [createTransfer(source, wallet.address)]));
    expect(failure).toMatchObject({ kind: 'missing-account', programLabel: 'Token program' });
    expect(failure?.facts).toContainEqual({ name: 'missing source', value: source, unit: null });
  });

  it('says which call of which instruction used all compute units', async () => {
    const order = await swap.order({ ...SWAP, amount: '100000000' });
    const whole = await world.explain(await send(limitUnits(order.transaction ?? '', 40_000)));
    expect(whole).toMatchObject({ kind: 'compute', code: null, meaning: 'it used all of its compute units' });
    expect(whole?.sentence).toMatch(/failed in call \d of \d within instruction \d of \d with /);
    expect(whole?.facts.map(({ name }) => name)).toEqual([
      'compute units it used',
      'compute units that were left for it',
      'compute units that the transaction used',
      'compute units that it was allowed',
    ]);
    expect(whole?.call).not.toBeNull();
  });

  /** Lands a transaction, whatever becomes of it. Returns its signature. */
  function send(base64: string): Promise<string> {
    return swap.market.chain.send(Buffer.from(base64, 'base64'));
  }

  function limitUnits(transaction: string, units: number): string {
    const parsed = parseTransaction(Buffer.from(transaction, 'base64'));
    const messageBytes = Buffer.from(parsed.messageBytes);
    const [limit] = parsed.message.instructions.filter(
      ({ data }) => data[0] === SET_LIMIT && data.length === 5,
    );
    const at = messageBytes.indexOf(limit?.data ?? '');
    messageBytes.writeUInt32LE(units, at + 1);
    return Buffer.from(addSignatures({ ...parsed, messageBytes }, [swap.wallet])).toString('base64');
  }
});

const SOL_ATOMS = 1_000_000_000n;
const { mint: SOL } = getGenesisToken('SOL');
const { mint: USDC } = getGenesisToken('USDC');
const SWAP = { inputMint: SOL, outputMint: USDC };
/** The first byte of the instruction that limits compute units. */
const SET_LIMIT = 2;

async function openWorld() {
  const swap = await openTestSwap();
  const decoder = createAppDecoder(swap.market);
  return {
    swap,
    explain: async (signature: string) => (await decoder.decodeLanded(signature))?.result?.failure ?? null,
    land: (wallet: Keypair, instructions: readonly Instruction[]) => {
      const { bytes: blockhash } = swap.market.chain.recentBlockhash();
      const message = compileMessage({ feePayer: wallet.address, blockhash, instructions });
      return swap.market.chain.send(signTransaction(message, [wallet]));
    },
  };
}

function createTransfer(source: Address, owner: Address): Instruction {
  const accounts = [
    { address: source, role: AccountRole.WRITABLE },
    { address: USDC, role: AccountRole.READONLY },
    { address: source, role: AccountRole.WRITABLE },
    { address: owner, role: AccountRole.READONLY_SIGNER },
  ];
  return { programAddress: TOKEN_PROGRAM, accounts, data: Uint8Array.of(12, 1, 0, 0, 0, 0, 0, 0, 0, 6) };
}
