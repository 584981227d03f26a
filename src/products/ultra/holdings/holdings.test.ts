import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createUnaccountedWork } from '../../../common/work/work.ts';
import { openTestMarket } from '../../../testing/genesis-market/open.ts';
import { ChainUnavailable } from '../../../chain/chain.ts';
import { getGenesisToken } from '../../../solana/known-tokens.ts';
import { type Address, toAddressBytes, toAddress } from '../../../solana/address.ts';
import { deriveAssociatedTokenAddress } from '../../../solana/pda.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '../../../solana/program-addresses.ts';
import type { TokenAccount } from '../../../solana/programs/token/account.ts';
import { ordinaryTokenAccount } from '../../../testing/token-account.ts';
import { ExtensionType } from '../../../solana/programs/token/extensions.ts';
import { toBalancesJson, toHoldingsJson } from '../endpoints/holdings-json.ts';
import { type WalletHoldings, type HoldingsDependencies, MAX_ACCOUNTS, readHoldings } from './holdings.ts';
import { openForEach } from '../../../testing/opened.ts';

let dependencies: HoldingsDependencies;
let owner: Address;
const market = openForEach(() => openTestMarket('without programs'));
beforeEach(setUp);
afterEach(() => market.pools.close());

describe('readHoldings', () => {
  it('is the error of an RPC that returns a token account which cannot be decoded', async () => {
    give(USDC, { amount: 5n });
    const bonk = give(BONK, { amount: 7n });
    const account = market.network.account(bonk);
    const data = account?.data.slice() ?? new Uint8Array(0);
    data[TOKEN_STATE_AT] = 7;
    market.network.setData(bonk, TOKEN_PROGRAM, data);
    const failed = await read().catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(ChainUnavailable);
    expect((failed as Error).message).toContain(`cannot be decoded: ${bonk}`);
  });

  it('states amounts to the last digit, of both token programs, frozen or not, associated or not', async () => {
    const usdc = give(USDC, { amount: 18_446_744_073_709_551_615n });
    const other = give(USDC, { amount: 1n, state: 'frozen' }, { address: numbered(1) });
    const bern = give(BERN, { amount: 12_345n }, { program: TOKEN_2022_PROGRAM });
    const { tokens, ...native } = await toHoldingsJson(await read(), createUnaccountedWork());
    expect(native).toEqual({ amount: '1234567890', uiAmount: 1.23456789, uiAmountString: '1.23456789' });
    const byAddress = (mint: Address) =>
      new Map(tokens[mint]?.map((account) => [account.account, account]) ?? []);
    expect(byAddress(USDC).get(usdc)).toEqual({
      account: usdc,
      amount: '18446744073709551615',
      uiAmount: Number('18446744073709.551615'),
      uiAmountString: '18446744073709.551615',
      isFrozen: false,
      isAssociatedTokenAccount: true,
      decimals: 6,
      programId: TOKEN_PROGRAM,
      lamports: String(RENT),
    });
    expect(byAddress(USDC).get(other)).toMatchObject({
      amount: '1',
      uiAmountString: '0.000001',
      isFrozen: true,
      isAssociatedTokenAccount: false,
    });
    expect(byAddress(BERN).get(bern)).toMatchObject({
      amount: '12345',
      uiAmountString: '0.12345',
      isAssociatedTokenAccount: true,
      programId: TOKEN_2022_PROGRAM,
    });
    expect(Object.keys(tokens).sort()).toEqual([USDC, BERN].sort());
  });

  it('sums the balances of a token, and says that one of its accounts is frozen', async () => {
    give(USDC, { amount: 5n });
    give(USDC, { amount: 7n, state: 'frozen' }, { address: numbered(1) });
    const holdings = await read();
    const slot = Number(holdings.slot);
    expect(await toBalancesJson(holdings, createUnaccountedWork())).toEqual({
      SOL: { amount: '1234567890', uiAmount: 1.23456789, slot, isFrozen: false },
      [USDC]: { amount: '12', uiAmount: 0.000012, slot, isFrozen: true },
    });
  });

  it('promises rent of accounts only that the owner can close without a loss', async () => {
    const keeper = market.network.newAddress();
    const confidential = { type: ExtensionType.CONFIDENTIAL_TRANSFER_ACCOUNT, data: new Uint8Array(295) };
    const cases: readonly [Address, bigint][] = [
      [give(USDC), RENT],
      [give(BONK, { closeAuthority: keeper }), 0n],
      [give(BONK, {}, { address: numbered(2) }), 0n],
      [give(getGenesisToken('WIF').mint, { amount: 1n }), 0n],
      [give(getGenesisToken('JUP').mint, { state: 'frozen' }), 0n],
      [give(getGenesisToken('RAY').mint, { closeAuthority: owner }), RENT],
      [give(BERN, { extensions: [confidential] }, { program: TOKEN_2022_PROGRAM }), 0n],
      // Lamports that somebody sent to a wrapped-SOL account without counting them go back with the rent.
      [give(WRAPPED_SOL_MINT, { nativeReserve: RENT }, { lamports: RENT + 5n }), RENT + 5n],
    ];
    const { accounts } = await read();
    const reclaimable = new Map(accounts.map((account) => [account.address, account.reclaimableLamports]));
    for (const [address, lamports] of cases) expect(reclaimable.get(address), address).toBe(lamports);
  });

  it('answers an address without an account, and one with nothing but SOL', async () => {
    expect(await readHoldings(dependencies, numbered(9), createUnaccountedWork())).toMatchObject({
      lamports: 0n,
      accounts: [],
    });
    expect(await read()).toMatchObject({ lamports: 1_234_567_890n, accounts: [], omitted: 0 });
  });

  it('keeps what counts of a wallet that was given thousands of accounts', async () => {
    for (let index = 0; index < MAX_ACCOUNTS; index++) give(BONK, {}, { address: numbered(100 + index) });
    const spam = give(BONK, { amount: 3n }, { address: numbered(1) });
    const usdc = give(USDC, { amount: 5n });
    const holdings = await read();
    expect(holdings.accounts).toHaveLength(MAX_ACCOUNTS);
    expect(holdings.accounts.slice(0, 2).map(({ address }) => address)).toEqual([usdc, spam]);
    expect((await toHoldingsJson(holdings, createUnaccountedWork())).omittedAccounts).toBe(2);
  });

  it('leaves out accounts that are no token accounts and tokens without a mint', async () => {
    give(numbered(3), { amount: 1n });
    // Anybody can create a multisig whose second signer ends with the bytes of the wallet.
    const multisig = new Uint8Array(MULTISIG_SIZE);
    multisig.set(toAddressBytes(owner), TOKEN_OWNER_AT);
    market.network.setData(numbered(4), TOKEN_PROGRAM, multisig);
    give(USDC, { amount: 5n });
    expect((await read()).accounts.map(({ token }) => token.mint)).toEqual([USDC]);
  });
});

const [USDC, BONK, BERN] = ['USDC', 'BONK', 'BERN'].map((symbol) => getGenesisToken(symbol).mint) as [
  Address,
  Address,
  Address,
];
/** The offsets of the owner and of the state in a token account. */
const TOKEN_OWNER_AT = 32;
const TOKEN_STATE_AT = 108;
const MULTISIG_SIZE = 355;
const RENT = 2_039_280n;

function setUp(): void {
  dependencies = { chain: market.chain, isVerified: (mint) => mint === USDC };
  owner = market.network.newWallet(1_234_567_890n);
}

const numbered = (index: number): Address => {
  const bytes = new Uint8Array(32).fill(77);
  new DataView(bytes.buffer).setUint32(0, index);
  return toAddress(bytes);
};

/** Puts a token account of the wallet on the network. Default: empty, at the associated address. */
function give(
  mint: Address,
  changes: Partial<TokenAccount> = {},
  place: { program?: Address; address?: Address; lamports?: bigint } = {},
): Address {
  const { program = TOKEN_PROGRAM, lamports = RENT } = place;
  const address = place.address ?? deriveAssociatedTokenAddress(owner, mint, program);
  const data = ordinaryTokenAccount({ mint, owner, amount: 0n, ...changes });
  market.network.setAccount(address, { owner: program, data, lamports, executable: false, rentEpoch: 0n });
  return address;
}

const read = (): Promise<WalletHoldings> => readHoldings(dependencies, owner, createUnaccountedWork());
