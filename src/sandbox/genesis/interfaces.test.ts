import { BN, type BorshCoder, type Idl, Program, type Provider } from '@coral-xyz/anchor';
import { PublicKey } from '@solana/web3.js';
import { describe, expect, it } from 'vitest';
import { createEarnInstruction } from '../../protocols/jupiter-lend/lending/instructions.ts';
import { createFillInstruction } from '../../protocols/order-engine/fill-instruction.ts';
import { encodeFillParams } from '../../protocols/rfq-fill/fill-program.ts';
import { PROTOCOLS } from '../../protocols/index.ts';
import { type Address, address as parseAddress } from '../../solana/address.ts';
import { TestNetwork } from '../../testing/svm/network.ts';
import { buildGenesis } from './build-genesis.ts';
import { listInterfaces, orderStandIns } from './programs.ts';

describe('the interfaces in the genesis', () => {
  it('are those of five programs, and the public client finds them', async () => {
    expect(listDeclared().map(({ name }) => name)).toEqual([
      'aggregator',
      'dca',
      'rfq-fill',
      'order-engine',
      'lending',
    ]);
    for (const { address, declared } of listDeclared()) {
      const idl = await fetchIdl(address);
      expect(idl).toMatchObject({ address, metadata: { name: declared.name, spec: '0.1.0' } });
      const { methods } = new Program(idl, PROVIDER);
      expect(Object.keys(methods)).toHaveLength(declared.instructions.length);
    }
  });

  it.each(listDeclared())('name only what the program $name carries out', async ({ name, address }) => {
    const network = new TestNetwork([name]);
    const { instructions } = await fetchIdl(address);
    const send = (data: Uint8Array) => network.send([{ programAddress: address, accounts: [], data }]).error;
    const refusal = send(new Uint8Array(8));
    expect(refusal).not.toBeNull();
    for (const { name: instruction, discriminator } of instructions) {
      const error = send(Uint8Array.from(discriminator));
      expect(error, instruction).not.toBeNull();
      expect(error, instruction).not.toEqual(refusal);
    }
  });

  it("let the public client build the order engine's fill as it is built here", async () => {
    const [taker, maker, mint, out] = createKeys();
    const expected = createFillInstruction(
      { inputAmount: 5n, outputAmount: 7n, expireAt: 9n },
      {
        taker: toAddress(taker),
        maker: toAddress(maker),
        input: { mint: toAddress(mint), tokenProgram: toAddress(out), taker: null, maker: toAddress(out) },
        output: { mint: toAddress(out), tokenProgram: toAddress(out), taker: toAddress(mint), maker: null },
      },
      null,
    );
    const program = await openProgram('order-engine');
    const fill = program.methods.fill?.(new BN(5), new BN(7), new BN(9));
    const built = await fill
      ?.accountsStrict({
        taker,
        maker,
        takerInputMintTokenAccount: null,
        makerInputMintTokenAccount: out,
        takerOutputMintTokenAccount: mint,
        makerOutputMintTokenAccount: null,
        inputMint: mint,
        inputTokenProgram: out,
        outputMint: out,
        outputTokenProgram: out,
        systemProgram: PublicKey.default,
      } as object as Record<string, PublicKey>)
      .instruction();
    const accounts = built?.keys.map(({ pubkey, isSigner, isWritable }) => ({
      address: pubkey.toBase58(),
      role: Number(isSigner) * 2 + Number(isWritable),
    }));
    expect(accounts).toEqual(expected.accounts.map(({ address, role }) => ({ address, role })));
    expect(Uint8Array.from(built?.data ?? [])).toEqual(expected.data);
  });

  it("let it encode the parameters of a market maker's fill", async () => {
    const { coder } = await openProgram('rfq-fill');
    const params = { expireAt: 1n, tickSizeQpb: 2n, lotSizeBase: 3n, levels: [{ pxTicks: 4n, qtyLots: 5n }] };
    const encoded = coder.types.encode('fillExactInParams', {
      expireAt: new BN(1),
      tickSizeQpb: new BN(2),
      lotSizeBase: new BN(3),
      levels: [{ pxTicks: new BN(4), qtyLots: new BN(5) }],
    });
    expect(Uint8Array.from(encoded)).toEqual(encodeFillParams(params));
  });

  it('let it read the DCA order of the demo wallet', async () => {
    const program = await openProgram('dca');
    const owned = GENESIS.accounts.filter(({ account }) => account.owner === findDeclared('dca').address);
    const [order] = owned.filter(({ account: { data } }) => data.length === 289);
    const read = program.coder.accounts.decode('dca', Buffer.from(order?.account.data ?? []));
    expect(String(read.user)).toBe(GENESIS.keys.demoWallets[0]?.address);
    expect([read.inAmountPerCycle, read.cycleFrequency].map(String)).toEqual(['120000000', '86400']);
  });

  it('let it read the accounts of the earn tokens, and decode deposits and withdrawals', async () => {
    const program = await openProgram('lending');
    const { address } = findDeclared('lending');
    const owned = GENESIS.accounts.filter(({ account }) => account.owner === address);
    const read = owned.flatMap(({ account: { data } }) => {
      const kind = ['lending', 'lendingAdmin'].find((each) => {
        const { discriminator = [] } = program.idl.accounts?.find(({ name }) => name === each) ?? {};
        return discriminator.every((byte, at) => data[at] === byte);
      });
      return kind === undefined ? [] : [program.coder.accounts.decode(kind, Buffer.from(data))];
    });
    // Every account but the one with the interface.
    expect(read).toHaveLength(owned.length - 1);
    const coder = program.coder as BorshCoder;
    const [signer, mint, tokenProgram] = createKeys().map(toAddress) as [Address, Address, Address];
    for (const action of ['deposit', 'mint', 'withdraw', 'redeem'] as const) {
      const instruction = createEarnInstruction(action, { signer, mint, tokenProgram }, 77n);
      const decoded = coder.instruction.decode(Buffer.from(instruction.data));
      expect(decoded?.name).toBe(action);
      expect(Object.values(decoded?.data ?? {}).map(String)).toEqual(['77']);
      const declared = program.idl.instructions.find(({ name }) => name === action);
      const accounts = declared?.accounts as readonly { signer?: boolean; writable?: boolean }[];
      const roles = accounts.map(({ signer: signs, writable }) => [signs === true, writable === true]);
      const built = instruction.accounts.map(({ role }) => [role >= 2, role % 2 === 1]);
      expect(roles.map(String)).toEqual(built.map(String));
    }
  });
});

const GENESIS = buildGenesis('interfaces test');
const ACCOUNTS = new Map<string, Uint8Array>(
  GENESIS.accounts.map(({ address, account }) => [address, account.data]),
);
/** What Anchor's client asks the network, of which it only reads accounts here. */
const PROVIDER = {
  connection: {
    getAccountInfo: async (key: PublicKey) => {
      const data = ACCOUNTS.get(key.toBase58());
      return data === undefined ? null : { data: Buffer.from(data) };
    },
  },
} as unknown as Provider;

/** Returns the interfaces, with the names of their programs' crates. */
function listDeclared() {
  const names = new Map(orderStandIns(PROTOCOLS).map(({ name, address }) => [address, name]));
  return listInterfaces(PROTOCOLS).map((declared) => {
    const { address } = declared;
    return { name: names.get(address) ?? '', address, declared };
  });
}

function findDeclared(wanted: string) {
  const found = listDeclared().find(({ name }) => name === wanted);
  if (found === undefined) throw new Error(`${wanted} declares no interface`);
  return found;
}

async function fetchIdl(program: Address): Promise<Idl> {
  const idl = await Program.fetchIdl(program, PROVIDER);
  if (idl === null) throw new Error(`the genesis has no interface of ${program}`);
  return idl;
}

async function openProgram(name: string): Promise<Program> {
  return new Program(await fetchIdl(findDeclared(name).address), PROVIDER);
}

/** Returns four addresses that differ. */
function createKeys(): [PublicKey, PublicKey, PublicKey, PublicKey] {
  const createKey = (byte: number) => new PublicKey(new Uint8Array(32).fill(byte));
  return [createKey(1), createKey(2), createKey(3), createKey(4)];
}

function toAddress(key: PublicKey): Address {
  return parseAddress(key.toBase58());
}
