import { describe, expect, it } from 'vitest';
import type { Account } from '../../../chain/accounts.ts';
import { type Address, toAddress } from '../../../solana/address.ts';
import { ByteWriter } from '../../../solana/codec/byte-writer.ts';
import { TOKEN_2022_PROGRAM } from '../../../solana/program-addresses.ts';
import { ExtensionType } from '../../../solana/programs/token/extensions.ts';
import { encodeMint } from '../../../solana/programs/token/mint.ts';
import { type LendAsset, describeLendAsset } from '../../../lend/assets/asset.ts';
import { toLendTokenJson } from './asset-json.ts';

describe('a token of the lending product', () => {
  it('has the multipliers of its mint, as clients name them', () => {
    expect(jsonOf(scaledMint(AUTHORITY, 1.25)).scaledUiConfig).toEqual({
      authority: AUTHORITY,
      multiplier: 1.25,
      newMultiplier: 2.5,
      newMultiplierEffectiveTimestamp: '1800000000',
    });
    expect(jsonOf(scaledMint(null, 1.25)).scaledUiConfig).not.toHaveProperty('authority');
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, 0])(
    'is not scaled by %s, which no JSON can say',
    (multiplier) => {
      expect(jsonOf(scaledMint(AUTHORITY, multiplier))).not.toHaveProperty('scaledUiConfig');
    },
  );

  it('says what it earns by itself, and with which validator', () => {
    expect(jsonOf(null, { apr: 730, vote: VOTE })).toMatchObject({
      stakingApr: 730,
      nativeStakeVoteAccount: VOTE,
      price: '1',
    });
    const plain = jsonOf(null);
    for (const name of ['stakingApr', 'nativeStakeVoteAccount', 'scaledUiConfig']) {
      expect(plain).not.toHaveProperty(name);
    }
  });
});

const [MINT, AUTHORITY, VOTE] = [1, 2, 3].map((byte) => toAddress(new Uint8Array(32).fill(byte))) as [
  Address,
  Address,
  Address,
];

function scaledMint(authority: Address | null, multiplier: number): Account {
  const data = new ByteWriter(56);
  if (authority === null) data.zeros(32);
  else data.address(authority);
  data.f64(multiplier).i64(1_800_000_000n).f64(2.5);
  const extensions = [{ type: ExtensionType.SCALED_UI_AMOUNT, data: data.finish() }];
  return {
    owner: TOKEN_2022_PROGRAM,
    data: encodeMint({ mintAuthority: null, supply: 1n, decimals: 6, freezeAuthority: null, extensions }),
    lamports: 1n,
    executable: false,
    rentEpoch: 0n,
  };
}

function jsonOf(
  account: Account | null,
  { apr = null, vote = null }: { apr?: number | null; vote?: Address | null } = {},
) {
  const sources = { prices: { dollarsPerAtom: () => 1e-6 }, stakingAprOf: () => apr };
  const asset: LendAsset = describeLendAsset(sources, {
    mint: MINT,
    decimals: 6,
    account,
    nativeStakeVoteAccount: vote,
  });
  return toLendTokenJson(asset, 1_800_000_000n);
}
