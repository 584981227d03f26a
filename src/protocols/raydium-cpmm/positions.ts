import type { PositionFetcher } from '../../protocol/positions/fetcher.ts';
import { LayoutInvalid } from '../../solana/codec/byte-reader.ts';
import type { Account } from '../../chain/accounts.ts';
import { decodeTokenAccount } from '../../solana/programs/token/account.ts';
import {
  findClaimedLpMints,
  readLiquidityElement,
  type LpHolding,
  findLpHoldings,
  type LpTokenVenue,
} from '../../protocol/positions/lp-tokens.ts';
import {
  decodePool,
  POOL_SIZE,
  POOL_TAG,
  type RaydiumPoolAccount,
  type RaydiumSides,
} from './program/layout.ts';
import { RAYDIUM_CPMM_AUTHORITY, RAYDIUM_CPMM_PROGRAM } from './program/program.ts';
import { RAYDIUM_PLATFORM } from './platform.ts';

const PLATFORM = RAYDIUM_PLATFORM.id;
const LP_MINT_AT = 136;

const LP_TOKENS: LpTokenVenue<RaydiumPoolAccount> = {
  program: RAYDIUM_CPMM_PROGRAM,
  lpMintField: { offset: LP_MINT_AT, dataSize: POOL_SIZE, startsWith: POOL_TAG },
  mayBeLpMint: ({ mintAuthority }) => mintAuthority === RAYDIUM_CPMM_AUTHORITY,
  decode: ({ account }) => decodePool(account.data),
  lpMintOf: ({ lpMint }) => lpMint,
};

/**
 * The wallet's share of constant-product pools: what `withdraw` would pay for its LP tokens, rounded down. The fees that
 * the pool owes to others are not in it, and the fees that liquidity earned are.
 */
export const raydiumCpmmPositions: PositionFetcher = {
  id: `${PLATFORM}-cpmm`,
  platformId: PLATFORM,
  claims: (wallet) => findClaimedLpMints(wallet, LP_TOKENS),
  fetch: async (wallet) => {
    const holdings = await findLpHoldings(wallet, LP_TOKENS);
    const vaults = await wallet.accounts(holdings.flatMap(({ pool }) => pool.vaults));
    const byAddress = new Map(
      holdings.flatMap(({ pool }) => pool.vaults).map((vault, at) => [vault, vaults[at]]),
    );
    return readLiquidityElement('CPMM', holdings, (holding) => {
      const reserves = holding.pool.vaults.map((vault, side) =>
        readVaultReserve(holding.pool, side as 0 | 1, byAddress.get(vault) ?? null),
      ) as unknown as RaydiumSides<bigint>;
      return createRaydiumPosition(holding, reserves);
    });
  },
};

/** @throws LayoutInvalid when the vault is not the pool's, or holds less than the fees that the pool owes */
function readVaultReserve(pool: RaydiumPoolAccount, side: 0 | 1, account: Account | null): bigint {
  const address = pool.vaults[side];
  if (account === null || account.owner !== pool.tokenPrograms[side]) {
    throw new LayoutInvalid(`its vault ${address} cannot be read`);
  }
  const vault = decodeTokenAccount(account.data);
  const owed = pool.protocolFees[side] + pool.fundFees[side] + pool.creatorFees[side];
  if (vault.mint !== pool.mints[side] || vault.amount < owed) {
    throw new LayoutInvalid(`its vault ${address} does not hold its reserve`);
  }
  return vault.amount - owed;
}

function createRaydiumPosition(
  { address, pool, amount, mint }: LpHolding<RaydiumPoolAccount>,
  reserves: RaydiumSides<bigint>,
) {
  const { lpSupply } = pool;
  if (lpSupply < amount)
    throw new LayoutInvalid(`it has issued ${lpSupply} LP tokens, fewer than the ${amount} held`);
  return {
    assets: pool.mints.map((token, side) => ({
      type: 'token' as const,
      mint: token,
      amount: (amount * reserves[side as 0 | 1]) / lpSupply,
    })),
    rewardAssets: [],
    lp: { mint: mint.address, amount },
    contract: RAYDIUM_CPMM_PROGRAM,
    ref: address,
    sourceRefs: [{ address, name: 'Pool' as const }],
    link: `https://raydium.io/liquidity/increase/?mode=add&pool_id=${address}`,
  };
}
