import { afterEach, describe, expect, it } from 'vitest';
import { openTestSwap, type TestSwap } from '../../../testing/genesis-market/swap.ts';
import type { Account } from '../../../chain/accounts.ts';
import { type Address, address, toAddressBytes } from '../../../solana/address.ts';
import { deriveAssociatedTokenAddress } from '../../../solana/pda.ts';
import { TOKEN_2022_PROGRAM, WRAPPED_SOL_MINT } from '../../../solana/program-addresses.ts';
import {
  decodeTokenAccount,
  encodeTokenAccount,
  type TokenAccount,
} from '../../../solana/programs/token/account.ts';
import { type Extension, ExtensionType } from '../../../solana/programs/token/extensions.ts';
import { decodeMint, encodeMint } from '../../../solana/programs/token/mint.ts';
import {
  encodeTransferFeeConfigExtension,
  findTransferFeeConfig,
} from '../../../solana/programs/token/transfer-fee.ts';
import { SwapRefused } from '../../../swaps/refusals.ts';
import type { Query } from '../../parameters/parameter.ts';

afterEach(tearDown);

describe('a mint that has', () => {
  it.each<[string, Extension, RegExp]>([
    [
      'interest',
      { type: ExtensionType.INTEREST_BEARING_CONFIG, data: behindAuthority(0, 52) },
      /^to the atom$/,
    ],
    [
      'a scaled amount',
      { type: ExtensionType.SCALED_UI_AMOUNT, data: behindAuthority(0, 56) },
      /^to the atom$/,
    ],
    ['a pause that is off', { type: ExtensionType.PAUSABLE, data: behindAuthority(0, 33) }, /^to the atom$/],
    ['a delegate for all', { type: ExtensionType.PERMANENT_DELEGATE, data: authority }, /^to the atom$/],
    [
      'accounts that begin open',
      { type: ExtensionType.DEFAULT_ACCOUNT_STATE, data: Uint8Array.of(1) },
      /^to the atom$/,
    ],
    ['a pause that is on', { type: ExtensionType.PAUSABLE, data: behindAuthority(1, 33) }, /^no pool trades/],
    [
      'a hook',
      { type: ExtensionType.TRANSFER_HOOK, data: Buffer.concat([authority, authority]) },
      /^no pool trades/,
    ],
    ['tokens that stay', { type: ExtensionType.NON_TRANSFERABLE, data: nothing }, /^no pool trades/],
    ['what nobody knows yet', { type: 999, data: nothing }, /^no pool trades/],
  ])('%s is swapped to the atom or refused', async (_, extension, expected) => {
    extended(PYUSD, extension);
    for (const query of [IN, OUT]) expect(await outcome(query)).toMatch(expected);
  });

  it('a mint whose accounts begin frozen can be swapped between open accounts, and into no new one', async () => {
    extended(PYUSD, { type: ExtensionType.DEFAULT_ACCOUNT_STATE, data: Uint8Array.of(2) });
    for (const query of [IN, OUT]) expect(await outcome(query)).toBe('to the atom');
    const receiver = swap.market.network.newAddress();
    expect(await outcome({ ...OUT, receiver })).toMatch(/^the swap would fail now: /);
  });

  it.each([690, 0, 1, 10_000])(
    'a fee that changes to %i basis points with the epoch changes the quote',
    async (basisPoints) => {
      const { network, chain } = swap.market;
      const { epoch } = chain.clock();
      const config = findTransferFeeConfig(decodeMint(network.account(BERN)?.data ?? nothing).extensions);
      if (config === null) throw new Error('the mint has no fee');
      const newer = { epoch: epoch + 1n, maximumFee: 1_000_000_000_000n, basisPoints };
      extended(
        BERN,
        encodeTransferFeeConfigExtension({ ...config, older: { ...config.newer, epoch }, newer }),
      );
      const query = { ...OUT, outputMint: BERN };
      expect(await outcome(query)).toBe('to the atom');
      expect(await outcome({ inputMint: BERN, outputMint: USDC, amount: '500000000' })).toBe('to the atom');
      const standing = await swap.order({ ...query, slippageBps: '0' });
      network.setEpoch(epoch + 1n);
      try {
        expect(await outcome(query)).toMatch(basisPoints === 10_000 ? /^no route from/ : /^to the atom$/);
        // A transaction that was quoted before pays what the new fee leaves, or nothing moves.
        const { code, totalOutputAmount = '' } = await swap.execute(standing);
        if (code === 0) expect(BigInt(totalOutputAmount)).toBeGreaterThanOrEqual(BigInt(standing.outAmount));
        else expect([code > 0, totalOutputAmount]).toEqual([true, '0']);
      } finally {
        network.setEpoch(epoch);
      }
    },
  );
});

describe('a token account of the taker that', () => {
  it('is frozen, has a guard, or demands a memo leads to a refusal that says so', async () => {
    changeAccount(PYUSD, (account) => ({ ...account, state: 'frozen' }));
    for (const query of [IN, OUT]) expect(await outcome(query)).toMatch(/would fail now: .*(frozen|0x11)/i);
    changeAccount(PYUSD, (account) => ({ ...account, state: 'initialized' }));
    const withExtension = (type: number) => (account: TokenAccount) => ({
      ...account,
      extensions: [...account.extensions, { type, data: Uint8Array.of(1) }],
    });
    changeAccount(PYUSD, withExtension(ExtensionType.MEMO_TRANSFER));
    expect(await outcome(OUT)).toMatch(/would fail now: /);
    expect(await outcome(IN)).toBe('to the atom');
    changeAccount(PYUSD, withExtension(ExtensionType.CPI_GUARD));
    expect(await outcome(IN)).toMatch(/would fail now: /);
  });
});

const USDC = address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');
const PYUSD = address('2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo');
const BERN = address('CKfatsPMUf8SkiURsDXs7eK6GWb4Jsd6UDbs7twMCWxo');
const IN = { inputMint: PYUSD, outputMint: USDC, amount: '5000000' };
const OUT = { inputMint: WRAPPED_SOL_MINT, outputMint: PYUSD, amount: '1000000000' };

const before = new Map<Address, Account>();

const swap = await openTestSwap();

function tearDown(): void {
  for (const [each, account] of before) swap.market.network.setAccount(each, account);
  swap.market.chain.publish([...before.keys()]);
  before.clear();
}

function change(each: Address, data: (before: Uint8Array) => Uint8Array): void {
  const account = swap.market.network.account(each);
  if (account === null) throw new Error(`no account ${each}`);
  if (!before.has(each)) before.set(each, account);
  const changed = data(account.data);
  // Rent for the added extensions.
  swap.market.network.setAccount(each, { ...account, data: changed, lamports: account.lamports * 10n });
  swap.market.chain.publish([each]);
}

/** Replaces an extension of the same type, or adds one. */
function extended(mint: Address, { type, data }: Extension): void {
  change(mint, (old) => {
    const decoded = decodeMint(old);
    const others = decoded.extensions.filter((extension) => extension.type !== type);
    return encodeMint({ ...decoded, extensions: [...others, { type, data }] });
  });
}

function changeAccount(mint: Address, change_: (account: TokenAccount) => TokenAccount): void {
  const account = deriveAssociatedTokenAddress(swap.wallet.address, mint, TOKEN_2022_PROGRAM);
  change(account, (old) => encodeTokenAccount(change_(decodeTokenAccount(old))));
}

/** How an order ends: refused with a sentence, or landed to the atom. */
async function outcome(query: Query): Promise<string> {
  let order: Awaited<ReturnType<TestSwap['order']>>;
  try {
    order = await swap.order(query);
  } catch (error) {
    if (error instanceof SwapRefused) return error.message;
    throw error;
  }
  if (order.errorMessage !== undefined) return order.errorMessage;
  const { code, totalInputAmount, totalOutputAmount } = await swap.execute(order);
  expect({ code, totalInputAmount, totalOutputAmount }).toEqual({
    code: 0,
    totalInputAmount: order.inAmount,
    totalOutputAmount: order.outAmount,
  });
  return 'to the atom';
}

const nothing = new Uint8Array(0);
const authority = toAddressBytes(USDC);
const behindAuthority = (byte: number, length: number) => {
  const data = new Uint8Array(length);
  data.set(authority);
  data[32] = byte;
  return data;
};
