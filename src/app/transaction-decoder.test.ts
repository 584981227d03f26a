import { describe, expect, it } from 'vitest';
import { type Address, toAddress } from '../solana/address.ts';
import { getGenesisToken } from '../solana/known-tokens.ts';
import { openForAll } from '../testing/opened.ts';
import { openTestSwap } from '../testing/genesis-market/swap.ts';
import type { DecodedInstruction } from '../transactions/decoding/form/decoded-transaction.ts';
import { createAppDecoder } from './transaction-decoder.ts';

describe('createAppDecoder', () => {
  const { swap, decoder } = openForAll(openDecoder);

  it('names every instruction of a swap, with its amounts in units and its accounts', async () => {
    const order = await swap.order({ inputMint: SOL, outputMint: USDC, amount: '100000000' });
    const decoded = await decoder.decode(Buffer.from(order.transaction ?? '', 'base64'));
    expect(decoded.instructions.map(({ name }) => name)).toEqual([
      'setComputeUnitLimit',
      'setComputeUnitPrice',
      'createIdempotent',
      'transfer',
      'syncNative',
      'createIdempotent',
      'route_v2',
      'closeAccount',
    ]);
    const route = findInstruction(decoded.instructions, 'route_v2');
    expect(route.programLabel).toBe('Jupiter aggregator');
    expect(route.fields).toContainEqual({
      name: 'in_amount',
      value: '100000000',
      unit: { mint: SOL, symbol: 'SOL', decimals: 9 },
    });
    expect(route.fields).toContainEqual({
      name: 'step_1',
      value: 'Orca Whirlpool: 100 % of SOL to USDC',
      unit: null,
    });
    const labels = new Map(route.accounts.map(({ role, label }) => [role, label]));
    expect(labels.get('user_transfer_authority')).toBe('fee payer');
    expect(labels.get('user_source_token_account')).toBe('SOL account of the fee payer');
    expect(labels.get('destination_token_account')).toBe('not given');
    expect(route.accounts.map(({ label }) => label)).toContain('Whirlpool SOL/USDC pool');
    expect(decoded).toMatchObject({
      version: 0,
      signature: null,
      result: null,
      feePayer: swap.wallet.address,
    });
    expect(decoded.signers).toEqual([{ address: swap.wallet.address, label: 'fee payer', signed: false }]);
  });

  it('tells what a landed swap did: its calls, and the balances before and after', async () => {
    const order = await swap.order({ inputMint: SOL, outputMint: USDC, amount: '100000000' });
    const { signature } = await swap.execute(order);
    const decoded = await decoder.decodeLanded(signature ?? '');
    const { result, signers } = decoded ?? {};
    expect(signers?.[0]?.signed).toBe(true);
    expect(result).toMatchObject({ error: null, errorText: null, feeLamports: '5000' });
    const calls = result?.inner.flatMap(({ instructions }) => instructions) ?? [];
    expect(calls.map(({ name }) => name)).not.toContain(null);
    expect(findInstruction(calls, 'swap_v2')).toMatchObject({ programLabel: 'Orca Whirlpool', depth: 2 });
    expect(findInstruction(calls, 'transferChecked').depth).toBe(3);
    expect(findInstruction(calls, 'event SwapsEvent').fields).toEqual([
      { name: 'swap_1', value: expect.stringMatching(/^0\.1 SOL to \d+\.\d+ USDC$/), unit: null },
    ]);
    const received = result?.balances.find(
      ({ label, native }) => label === 'USDC account of the fee payer' && !native,
    );
    expect(BigInt(received?.after ?? 0) - BigInt(received?.before ?? 0)).toBe(BigInt(order.outAmount));
  });

  it('reads once, and no accounts that the message does not name, whatever an RPC reports', async () => {
    const order = await swap.order({ inputMint: SOL, outputMint: USDC, amount: '100000000' });
    const { signature } = await swap.execute(order);
    const landed = await swap.market.chain.transaction(signature ?? '');
    if (landed === null) throw new Error('it has not landed');
    const strangers = Array.from({ length: 255 }, (_, byte) => toAddress(new Uint8Array(32).fill(byte + 1)));
    const balances = strangers.map((each) => ({ account: each, mint: each, owner: each, amount: 1n }));
    const read = new Set<Address>();
    const attempts = new Set<unknown>();
    const lied = createAppDecoder({
      pools: swap.market.pools,
      describeFailure: swap.market.describeFailure,
      chain: {
        getAccounts: async (addresses, _commitment, many) => {
          attempts.add(many);
          for (const address of addresses) read.add(address);
          return addresses.map((address) => ({ address, slot: 1n, account: null }));
        },
        transaction: async (_signature, many) => {
          attempts.add(many);
          const accounts = [...landed.accounts, ...strangers];
          return { ...landed, accounts, preTokenBalances: [...landed.preTokenBalances, ...balances] };
        },
      },
    });
    expect((await lied.decodeLanded(landed.signature))?.signature).toBe(landed.signature);
    expect(strangers.filter((each) => read.has(each))).toEqual([]);
    expect(read.size).toBeGreaterThan(5);
    expect([...attempts]).toEqual(['once']);
  });

  it('returns null for a signature that nothing has landed under', async () => {
    expect(await decoder.decodeLanded('1'.repeat(64))).toBeNull();
  });
});

const SOL = getGenesisToken('SOL').mint;
const USDC = getGenesisToken('USDC').mint;

async function openDecoder() {
  const swap = await openTestSwap();
  return { swap, decoder: createAppDecoder(swap.market) };
}

function findInstruction(instructions: readonly DecodedInstruction[], name: string): DecodedInstruction {
  const found = instructions.find((each) => each.name === name);
  if (found === undefined) throw new Error(`no instruction ${name}`);
  return found;
}
