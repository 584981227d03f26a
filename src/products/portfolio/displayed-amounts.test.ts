import { beforeEach, describe, expect, it } from 'vitest';
import { createUnaccountedWork } from '../../common/work/work.ts';
import { openTestMarket } from '../../testing/genesis-market/open.ts';
import { getGenesisToken } from '../../solana/known-tokens.ts';
import { computeMintDisplay, decodeMintFacts } from '../../market/mint-facts.ts';
import { walletTokens } from '../../protocols/wallet/tokens.ts';
import type { Address } from '../../solana/address.ts';
import { ByteWriter } from '../../solana/codec/byte-writer.ts';
import { deriveAssociatedTokenAddress } from '../../solana/pda.ts';
import { TOKEN_2022_PROGRAM } from '../../solana/program-addresses.ts';
import { ordinaryTokenAccount } from '../../testing/token-account.ts';
import {
  computeDollarsPerToken,
  getMintDisplay,
  toUiTokenAmount,
} from '../../solana/programs/token/display-amount.ts';
import { type Extension, ExtensionType } from '../../solana/programs/token/extensions.ts';
import { decodeMint, encodeMint } from '../../solana/programs/token/mint.ts';
import { readHoldings } from '../ultra/holdings/holdings.ts';
import { toHoldingsJson } from '../ultra/endpoints/holdings-json.ts';
import { evaluateForTest } from '../../testing/products/evaluated-portfolio.ts';
import { openForEach } from '../../testing/opened.ts';

let owner: Address;
const market = openForEach(() => openTestMarket('without programs'));
beforeEach(setUp);

describe('a token whose displayed amounts are scaled', () => {
  it.each([
    ['by nothing', () => null, 1_234.56789],
    ['by a multiplier', () => scaled(3, 5, 4_000_000_000n), 3_703.70367],
    ['by a multiplier that has replaced another', () => scaled(3, 0.1, 1_000_000_000n), 123.45678],
    ['by interest', interest, 1_364.319],
  ])('%s is the same in every answer', async (_, extension, expected) => {
    const added = extension(market.chain.clock().unixTimestamp);
    if (added !== null) extend(added);
    const { rpc, held, asset, perAtom, price } = await answers();
    expect(rpc.uiAmount).toBeCloseTo(expected, 1);
    expect(held).toMatchObject({ amount: rpc.amount, uiAmountString: rpc.uiAmountString });
    expect(held.uiAmount).toBe(rpc.uiAmount);
    expect(asset.amount).toBe(rpc.uiAmount);
    expect(asset.price).toBe(price);
    // A scale moves no money.
    expect(asset.value).toBeCloseTo(Number(AMOUNT) * perAtom, 8);
  });

  it('has no price where none can be a number, and is then worth nothing that is known', async () => {
    extend(scaled(Number.MIN_VALUE, Number.MIN_VALUE, 0n));
    const { asset } = await answers();
    expect(asset).toMatchObject({ amount: 0, price: null, value: null });
  });
});

/** Scaled by each case. It has five decimals. */
const MINT = getGenesisToken('BERN').mint;
const AMOUNT = 123_456_789n;
const DAY = 86_400n;

function setUp(): void {
  owner = market.network.newWallet(1_000_000_000n);
  const data = ordinaryTokenAccount({ mint: MINT, owner, amount: AMOUNT });
  market.network.setData(
    deriveAssociatedTokenAddress(owner, MINT, TOKEN_2022_PROGRAM),
    TOKEN_2022_PROGRAM,
    data,
  );
}

function mintAccount() {
  const account = market.network.account(MINT);
  if (account === null) throw new Error('the genesis has no such mint');
  return account;
}

function extend(extension: Extension): void {
  const account = mintAccount();
  const mint = decodeMint(account.data);
  const data = encodeMint({ ...mint, extensions: [...mint.extensions, extension] });
  market.network.setAccount(MINT, { ...account, data });
  market.chain.publish([MINT]);
}

function scaled(multiplier: number, newMultiplier: number, from: bigint): Extension {
  const data = new ByteWriter(56).bytes(new Uint8Array(32)).f64(multiplier).i64(from).f64(newMultiplier);
  return { type: ExtensionType.SCALED_UI_AMOUNT, data: data.finish() };
}

/** Five percent a year, compounded, for two years so far. */
function interest(now: bigint): Extension {
  const since = now - 730n * DAY;
  const data = new ByteWriter(52).bytes(new Uint8Array(32)).i64(since);
  data.bytes(Uint8Array.of(0xf4, 0x01)).i64(since).bytes(Uint8Array.of(0xf4, 0x01));
  return { type: ExtensionType.INTEREST_BEARING_CONFIG, data: data.finish() };
}

/** What each answer says about the wallet's tokens of the mint. */
async function answers() {
  const { chain, pools, prices } = market;
  const { unixTimestamp } = chain.clock();
  const work = createUnaccountedWork();
  const holdings = await readHoldings({ chain, isVerified: () => true }, owner, work);
  const [held] = (await toHoldingsJson(holdings, work)).tokens[MINT] ?? [];
  const { elements } = await evaluateForTest(chain.openView(), pools, owner, [walletTokens]);
  const [asset] = elements.flatMap((element) => (element.type === 'multiple' ? element.assets : []));
  if (held === undefined || asset === undefined || !('price' in asset)) throw new Error('nothing is held');
  const facts = decodeMintFacts(mintAccount());
  const perAtom = prices.dollarsPerAtom(MINT) ?? 0;
  return {
    rpc: toUiTokenAmount(AMOUNT, getMintDisplay(decodeMint(mintAccount().data), unixTimestamp)),
    held,
    asset,
    perAtom,
    price:
      facts === null
        ? null
        : computeDollarsPerToken(perAtom, computeMintDisplay(facts, Number(unixTimestamp))),
  };
}
