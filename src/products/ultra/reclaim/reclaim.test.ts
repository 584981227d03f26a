import { beforeEach, describe, expect, it } from 'vitest';
import { getGenesisToken } from '../../../solana/known-tokens.ts';
import { type Address, toAddressBytes } from '../../../solana/address.ts';
import { findProgramAddress } from '../../../solana/pda.ts';
import { SYSTEM_PROGRAM, TOKEN_2022_PROGRAM, WRAPPED_SOL_MINT } from '../../../solana/program-addresses.ts';
import { readTokenAccountAmount } from '../../../solana/programs/token/account.ts';
import { ExtensionType } from '../../../solana/programs/token/extensions.ts';
import { decodeMint } from '../../../solana/programs/token/mint.ts';
import {
  encodeTransferFeeConfigExtension,
  findTransferFeeConfig,
} from '../../../solana/programs/token/transfer-fee.ts';
import { computeRentExemptMinimum } from '../../../solana/rent.ts';
import { executeSigned } from '../../../transactions/signed/execute-signed.ts';
import { createNumberedAddress, TestWallets } from '../../../testing/products/signing-wallets.ts';
import { type CraftedReclaim, craftReclaim } from './craft-reclaim.ts';
import { openForEach } from '../../../testing/opened.ts';

let owner: Address;
const wallets = openForEach(() => TestWallets.open(), 'close');
beforeEach(setUp);

describe('craftReclaim', () => {
  it('gives all rent to the owner, who pays what is stated and nothing else', async () => {
    const mints = Array.from({ length: 30 }, () => wallets.newMint());
    const accounts = mints.map((mint) => wallets.give(owner, mint));
    const before = wallets.lamports(owner);
    const crafted = await craft(mints);
    expect(crafted).toMatchObject({ lamports: 30n * RENT, skipped: [], lacking: null });
    expect(crafted.transactions).toHaveLength(2);
    expect(await execute(crafted)).toEqual(['landed', 'landed']);
    expect(wallets.lamports(owner) - before).toBe(30n * RENT - crafted.costLamports);
    expect(accounts.filter(exists)).toEqual([]);
    expect((await craft(mints)).skipped.map(({ reason }) => reason)).toEqual(mints.map(() => 'not-found'));
  });

  it('leaves alone what is not empty, frozen, or not the owner’s to close', async () => {
    const [balance, frozen, authority, given, auxiliary, verified, none] = Array.from({ length: 7 }, () =>
      wallets.newMint(),
    ) as [Address, Address, Address, Address, Address, Address, Address];
    wallets.give(owner, balance, { amount: 1n });
    wallets.give(owner, frozen, { state: 'frozen' });
    wallets.give(owner, authority, { closeAuthority: createNumberedAddress(1) });
    wallets.change(wallets.give(owner, given), { owner: createNumberedAddress(2) });
    wallets.give(owner, auxiliary, {}, { address: createNumberedAddress(3) });
    wallets.give(owner, verified, { amount: 1n });
    wallets.verified.add(verified);
    const crafted = await craft([balance, frozen, authority, given, auxiliary, verified, none]);
    expect(crafted.transactions).toEqual([]);
    expect([...reasons(crafted)]).toEqual([
      [balance, 'balance'],
      [frozen, 'frozen'],
      [authority, 'close-authority'],
      [given, 'not-found'],
      [auxiliary, 'not-found'],
      [verified, 'verified'],
      [none, 'not-found'],
    ]);
  });

  it('sends nothing if an account has received something meanwhile, and goes on without it', async () => {
    const mints = [wallets.newMint(), wallets.newMint()] as const;
    const [dusted, clean] = mints.map((mint) => wallets.give(owner, mint)) as [Address, Address];
    const crafted = await craft(mints);
    wallets.change(dusted, { amount: 1n });
    const before = wallets.lamports(owner);
    expect(await execute(crafted)).toEqual(['failed']);
    expect([wallets.lamports(owner), wallets.market.chain.sent]).toEqual([before, 0]);
    const again = await craft(mints);
    expect([...reasons(again)]).toEqual([[mints[0], 'balance']]);
    expect(await execute(again)).toEqual(['landed']);
    expect([exists(dusted), exists(clean)]).toEqual([true, false]);
  });

  it('moves withheld fees to the mint, whose they are, before it closes the account', async () => {
    const { mint, account } = withWithheldFees(0n);
    const rent = wallets.lamports(account);
    const before = wallets.lamports(owner);
    const crafted = await craft([mint]);
    expect(await execute(crafted)).toEqual(['landed']);
    expect(exists(account)).toBe(false);
    expect(wallets.lamports(owner) - before).toBe(rent - crafted.costLamports);
    const data = wallets.market.network.account(mint)?.data ?? new Uint8Array(0);
    expect(findTransferFeeConfig(decodeMint(data).extensions)?.withheldAmount).toBe(77n);
  });

  it('gives back lamports in an empty account for wrapped SOL, also what arrives meanwhile', async () => {
    const poor = wallets.market.network.newWallet(1_000_000_000n);
    expect(poor).not.toBe(owner);
    const account = wallets.give(
      owner,
      WRAPPED_SOL_MINT,
      { amount: 0n, nativeReserve: RENT },
      { extraLamports: 500n },
    );
    const before = wallets.lamports(owner);
    const crafted = await craft([WRAPPED_SOL_MINT]);
    expect(crafted.lamports).toBe(RENT + 500n);
    const found = wallets.market.network.account(account);
    if (found === null) throw new Error('there is no such account');
    wallets.market.network.setAccount(account, { ...found, lamports: found.lamports + 1_000n });
    wallets.change(account, { amount: 1_500n });
    expect(await execute(crafted)).toEqual(['landed']);
    expect(wallets.lamports(owner) - before).toBe(RENT + 1_500n - crafted.costLamports);
    wallets.give(owner, WRAPPED_SOL_MINT, { amount: 9n, nativeReserve: RENT }, { extraLamports: 9n });
    for (const burns of [false, true]) {
      expect((await craft([WRAPPED_SOL_MINT], burns)).transactions).toEqual([]);
    }
  });

  it('says that an owner without SOL cannot pay', async () => {
    const poor = createNumberedAddress(8);
    const mint = wallets.newMint();
    wallets.give(poor, mint);
    const crafted = await craftReclaim(wallets.dependencies, {
      owner: poor,
      mints: [mint],
      burnsWorthless: false,
    });
    expect(crafted).toMatchObject({ transactions: [], lacking: expect.stringContaining('Insufficient SOL') });
  });
});

describe('burning', () => {
  it('happens only when it is asked for, to the whole balance of what is worthless', async () => {
    const mint = wallets.newMint();
    const account = wallets.give(owner, mint, { amount: 123n });
    expect([...reasons(await craft([mint]))]).toEqual([[mint, 'balance']]);
    const before = wallets.lamports(owner);
    const crafted = await craft([mint], true);
    expect(await execute(crafted)).toEqual(['landed']);
    expect(exists(account)).toBe(false);
    expect(wallets.lamports(owner) - before).toBe(RENT - crafted.costLamports);
    const data = wallets.market.network.account(mint)?.data ?? new Uint8Array(0);
    expect(decodeMint(data).supply).toBe(1_000_000_000n - 123n);
  });

  it('keeps whatever may have a worth', async () => {
    const vault = findProgramAddress(SYSTEM_PROGRAM, [toAddressBytes(owner)]).address;
    const nft = wallets.newMint({ decimals: 0, supply: 1n });
    const receipt = wallets.newMint({ mintAuthority: vault });
    const claimed = wallets.newMint();
    const priced = wallets.newMint();
    const dust = wallets.newMint();
    const traded = getGenesisToken('ORCA').mint;
    const mints = [nft, receipt, claimed, priced, dust, traded];
    for (const mint of mints) wallets.give(owner, mint, { amount: mint === nft ? 1n : 2_000n });
    wallets.prices.set(priced, { dollarsPerAtom: 0.01 / 2_000 });
    wallets.prices.set(dust, { dollarsPerAtom: 0.0099 / 2_000 });
    wallets.fetchers = [
      {
        id: 'test',
        platformId: 'test',
        claims: async () => new Set([claimed]),
        fetch: async () => ({ elements: [] }),
      },
    ];
    const crafted = await craft(mints, true);
    expect([...reasons(crafted)]).toEqual([
      [nft, 'position'],
      [receipt, 'position'],
      [claimed, 'position'],
      [priced, 'valuable'],
      [traded, 'valuable'],
    ]);
    expect(crafted.lamports).toBe(RENT);
  });

  it('keeps everything if it is not known which tokens stand for positions', async () => {
    const mint = wallets.newMint();
    wallets.give(owner, mint, { amount: 5n });
    wallets.fetchers = [
      {
        id: 'test',
        platformId: 'test',
        claims: () => Promise.reject(new Error('the platform does not answer')),
        fetch: async () => ({ elements: [] }),
      },
    ];
    expect([...reasons(await craft([mint], true))]).toEqual([[mint, 'unknown']]);
  });

  it('needs a price where tokens may be traded in pools that are not known', async () => {
    const [unpriced, dust] = [wallets.newMint(), wallets.newMint()];
    for (const mint of [unpriced, dust]) wallets.give(owner, mint, { amount: 5n });
    wallets.prices.set(dust, { dollarsPerAtom: 0.001 });
    const dependencies = { ...wallets.dependencies, knowsAllPools: false };
    const crafted = await craftReclaim(dependencies, {
      owner,
      mints: [unpriced, dust],
      burnsWorthless: true,
    });
    expect([...reasons(crafted)]).toEqual([[unpriced, 'unknown']]);
    expect(crafted.lamports).toBe(RENT);
  });

  it('burns nothing if more has arrived meanwhile', async () => {
    const mint = wallets.newMint();
    const account = wallets.give(owner, mint, { amount: 5n });
    const crafted = await craft([mint], true);
    wallets.change(account, { amount: 6n });
    expect(await execute(crafted)).toEqual(['failed']);
    const data = wallets.market.network.account(account)?.data ?? new Uint8Array(0);
    expect(readTokenAccountAmount(data)).toBe(6n);
  });

  it('lets a hostile token keep no other account from being closed', async () => {
    const paused = new Uint8Array(33).fill(1);
    const hostile = wallets.newMint(
      { extensions: [{ type: ExtensionType.PAUSABLE, data: paused }] },
      TOKEN_2022_PROGRAM,
    );
    const extensions = [{ type: ExtensionType.PAUSABLE_ACCOUNT, data: new Uint8Array(0) }];
    wallets.give(owner, hostile, { amount: 5n, extensions }, { program: TOKEN_2022_PROGRAM });
    const others = Array.from({ length: 6 }, () => wallets.newMint());
    for (const mint of others) wallets.give(owner, mint);
    const crafted = await craft([...others.slice(0, 3), hostile, ...others.slice(3)], true);
    expect([...reasons(crafted)]).toEqual([[hostile, 'refused']]);
    expect(crafted.lamports).toBe(6n * computeRentExemptMinimum(165));
    expect(new Set(await execute(crafted))).toEqual(new Set(['landed']));
  });
});

const RENT = 2_039_280n;

function setUp(): void {
  owner = wallets.wallet.address;
}

const craft = (mints: readonly Address[], burnsWorthless = false): Promise<CraftedReclaim> =>
  craftReclaim(wallets.dependencies, { owner, mints, burnsWorthless });
const exists = (account: Address) => {
  const found = wallets.market.network.account(account);
  return found !== null && found.data.length > 0;
};
const reasons = ({ skipped }: CraftedReclaim) => new Map(skipped.map(({ mint, reason }) => [mint, reason]));

async function execute({ transactions }: CraftedReclaim): Promise<readonly string[]> {
  const kinds: string[] = [];
  for (const crafted of transactions) {
    const { kind } = await executeSigned(wallets.dependencies, 'reclaim', wallets.sign(crafted));
    kinds.push(kind);
  }
  return kinds;
}

/** A mint of Token-2022 whose transfers cost a fee, and an account of it with fees that are withheld. */
function withWithheldFees(amount: bigint): { mint: Address; account: Address } {
  const fee = { epoch: 0n, maximumFee: 1_000n, basisPoints: 100 };
  const authorities = { configAuthority: null, withdrawWithheldAuthority: null, withheldAmount: 0n };
  const config = encodeTransferFeeConfigExtension({ ...authorities, older: fee, newer: fee });
  const mint = wallets.newMint({ extensions: [config] }, TOKEN_2022_PROGRAM);
  const data = new Uint8Array(8);
  new DataView(data.buffer).setBigUint64(0, 77n, true);
  const extensions = [{ type: ExtensionType.TRANSFER_FEE_AMOUNT, data }];
  return {
    mint,
    account: wallets.give(owner, mint, { amount, extensions }, { program: TOKEN_2022_PROGRAM }),
  };
}
