import type { PositionFetcher } from '../../protocol/positions/fetcher.ts';
import { LayoutInvalid } from '../../solana/codec/byte-reader.ts';
import { TOKEN_PROGRAM } from '../../solana/program-addresses.ts';
import { decodeTokenAccount } from '../../solana/programs/token/account.ts';
import {
  findClaimedLpMints,
  readLiquidityElement,
  type LpHolding,
  findLpHoldings,
  type LpTokenVenue,
} from '../../protocol/positions/lp-tokens.ts';
import { deriveSaberAuthority } from './addresses.ts';
import {
  decodeSaber,
  type SaberFeeRatio,
  SABER_INITIALIZED,
  SABER_POOL_SIZE,
  type SaberAccount,
  type SaberSides,
} from './layout.ts';
import { SABER_PROGRAM } from './program.ts';
import { SABER_PLATFORM } from './platform.ts';

const PLATFORM = SABER_PLATFORM.id;
const LP_MINT_AT = 171;

const LP_TOKENS: LpTokenVenue<SaberAccount> = {
  program: SABER_PROGRAM,
  lpMintField: { offset: LP_MINT_AT, dataSize: SABER_POOL_SIZE, startsWith: SABER_INITIALIZED },
  mayBeLpMint: ({ program, mintAuthority, freezeAuthority, supply }) =>
    program === TOKEN_PROGRAM && mintAuthority !== null && freezeAuthority === null && supply > 0n,
  decode: ({ account }) => decodeSaber(account.data),
  lpMintOf: ({ lpMint }) => lpMint,
};

/** The wallet's share of stable pools: what `withdraw` would pay for its LP tokens, after its fee, rounded down. */
export const saberPositions: PositionFetcher = {
  id: `${PLATFORM}-pools`,
  platformId: PLATFORM,
  claims: (wallet) => findClaimedLpMints(wallet, LP_TOKENS),
  fetch: async (wallet) => {
    const holdings = await findLpHoldings(wallet, LP_TOKENS);
    const addresses = holdings.flatMap(({ pool }) => pool.reserves);
    const accounts = await wallet.accounts(addresses);
    const reserves = new Map(addresses.map((address, at) => [address, accounts[at] ?? null]));
    return readLiquidityElement('Stable Swap', holdings, (holding) => {
      const { address, pool, mint } = holding;
      // The address tells a pool from an account that only has its size: nobody else can mint its LP tokens.
      if (mint.mintAuthority !== deriveSaberAuthority(address).address) {
        throw new LayoutInvalid(`its LP token ${mint.address} is minted by another authority`);
      }
      const held = pool.reserves.map((reserve, side) => {
        const account = reserves.get(reserve) ?? null;
        if (account === null || account.owner !== TOKEN_PROGRAM) {
          throw new LayoutInvalid(`its reserve ${reserve} cannot be read`);
        }
        const token = decodeTokenAccount(account.data);
        if (token.mint !== pool.mints[side])
          throw new LayoutInvalid(`its reserve ${reserve} is of another mint`);
        return token.amount;
      });
      return createSaberPosition(holding, held as unknown as SaberSides<bigint>);
    });
  },
};

function createSaberPosition(
  { address, pool, amount, mint }: LpHolding<SaberAccount>,
  reserves: SaberSides<bigint>,
) {
  return {
    assets: pool.mints.map((token, side) => ({
      type: 'token' as const,
      mint: token,
      amount: afterFee((amount * reserves[side as 0 | 1]) / mint.supply, pool.fees.withdraw),
    })),
    rewardAssets: [],
    lp: { mint: mint.address, amount },
    contract: SABER_PROGRAM,
    ref: address,
    sourceRefs: [{ address, name: 'Pool' as const }],
  };
}

function afterFee(share: bigint, { numerator, denominator }: SaberFeeRatio): bigint {
  if (denominator === 0n) throw new LayoutInvalid('its withdrawal fee has a denominator of 0');
  return share - (share * numerator) / denominator;
}
