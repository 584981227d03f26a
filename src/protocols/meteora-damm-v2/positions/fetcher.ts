import {
  LOCKED_WITHOUT_END,
  type LiquidityPosition,
  type TokenAsset,
} from '../../../protocol/positions/element.ts';
import {
  type PositionFetcher,
  readEach,
  type WalletClock,
  type WalletMint,
  type WalletReader,
} from '../../../protocol/positions/fetcher.ts';
import { readMintAccounts } from '../../../protocol/positions/mint-accounts.ts';
import { type Address, toAddress } from '../../../solana/address.ts';
import { LayoutInvalid } from '../../../solana/codec/byte-reader.ts';
import { TOKEN_2022_PROGRAM } from '../../../solana/program-addresses.ts';
import { ExtensionType, findExtension } from '../../../solana/programs/token/extensions.ts';
import { deriveDammPositionAddress } from '../program/addresses.ts';
import {
  decodeTerms,
  isPoolData,
  readChanges,
  type DammPoolChanges,
  type DammPoolTerms,
} from '../program/layout.ts';
import { METEORA_DAMM_V2_AUTHORITY, METEORA_DAMM_V2_PROGRAM } from '../program/program.ts';
import { computeLiquidityWorth, computeDammEarned } from './holdings.ts';
import { type DammPosition, decodeDammPosition, decodePoolGrowth } from './layout.ts';
import { splitDammLiquidity } from './locks.ts';
import { METEORA_PLATFORM } from './platform.ts';

const PLATFORM = METEORA_PLATFORM.id;

interface HeldDammPosition {
  readonly address: Address;
  readonly data: Uint8Array;
  readonly mint: Address;
}

/** Positions in DAMM v2 pools whose token is in the wallet, all in one element. */
export const meteoraDammV2Positions: PositionFetcher = {
  id: `${PLATFORM}-cpamm-positions`,
  platformId: PLATFORM,
  claims: async (wallet) => new Set((await heldPositions(wallet)).map(({ mint }) => mint)),
  fetch: async (wallet) => {
    const { positions, unreadable } = readEach(await heldPositions(wallet), ({ address, data }) => ({
      address,
      ...decodeDammPosition(data),
    }));
    if (positions.length === 0) return { elements: [], unreadable };
    const [accounts, clock] = await Promise.all([
      wallet.accounts(positions.map(({ pool }) => pool)),
      wallet.clock(),
    ]);
    const pools = new Map(positions.map(({ pool }, index) => [pool, accounts[index] ?? null]));
    const valued = readEach(positions, (position) => {
      const account = pools.get(position.pool) ?? null;
      if (account === null || account.owner !== METEORA_DAMM_V2_PROGRAM || !isPoolData(account.data)) {
        throw new LayoutInvalid(`its pool ${position.pool} cannot be read`);
      }
      return liquidityPosition(position, account.data, clock);
    });
    return {
      elements: [
        { type: 'liquidity', label: 'LiquidityPool', name: 'DAMM v2', liquidities: valued.positions },
      ],
      unreadable: [...unreadable, ...valued.unreadable],
    };
  },
};

/** The mint of a position is of Token-2022, and the program's authority may close it. */
async function heldPositions(wallet: WalletReader): Promise<HeldDammPosition[]> {
  const held = (await wallet.singleTokens()).filter(({ program }) => program === TOKEN_2022_PROGRAM);
  const fits = ({ decimals, supply, extensions }: WalletMint) => {
    if (decimals !== 0 || supply !== 1n) return false;
    const closer = findExtension(extensions, ExtensionType.MINT_CLOSE_AUTHORITY);
    return closer?.length === 32 && toAddress(closer) === METEORA_DAMM_V2_AUTHORITY;
  };
  const found = await readMintAccounts(wallet, held, fits, deriveDammPositionAddress);
  return found.flatMap(({ address, account, mint }) =>
    account?.owner === METEORA_DAMM_V2_PROGRAM ? [{ address, data: account.data, mint: mint.address }] : [],
  );
}

function liquidityPosition(
  position: DammPosition & { readonly address: Address },
  poolData: Uint8Array,
  clock: WalletClock,
): LiquidityPosition {
  const terms = decodeTerms(poolData);
  const changes = readChanges(poolData);
  const growth = decodePoolGrowth(poolData);
  const { fees, rewards } = computeDammEarned(growth, changes.liquidity, position, clock.unixTimestamp);
  return {
    assets: listDammAssets(position, { ...terms, ...changes }, clock),
    rewardAssets: [
      ...terms.mints.map((mint, side) => asset(mint, fees[side as 0 | 1])),
      ...growth.rewards.flatMap(({ initialized, mint }, index) =>
        initialized ? [asset(mint, rewards[index as 0 | 1])] : [],
      ),
    ],
    contract: METEORA_DAMM_V2_PROGRAM,
    ref: position.address,
    sourceRefs: [{ address: position.pool, name: 'Pool' }],
    link: `https://www.meteora.ag/dammv2/${position.pool}`,
  };
}

/** Lists both tokens, and again those of vested and of permanently locked liquidity. Each part is rounded down. */
function listDammAssets(
  position: DammPosition,
  pool: DammPoolTerms & DammPoolChanges,
  clock: WalletClock,
): TokenAsset[] {
  const parts = splitDammLiquidity(position, pool.activationType, clock);
  const list = (liquidity: bigint, lockedUntil?: number) => {
    const amounts = computeLiquidityWorth(pool, liquidity);
    return pool.mints.map((mint, side) => asset(mint, amounts[side as 0 | 1], lockedUntil));
  };
  const isAllLocked = parts.unlocked === 0n && parts.vested + parts.permanentlyLocked > 0n;
  return [
    ...(isAllLocked ? [] : list(parts.unlocked)),
    ...(parts.vested === 0n ? [] : list(parts.vested, parts.vestedUntil)),
    ...(parts.permanentlyLocked === 0n ? [] : list(parts.permanentlyLocked, LOCKED_WITHOUT_END)),
  ];
}

function asset(mint: Address, amount: bigint, lockedUntil?: number): TokenAsset {
  return {
    type: 'token',
    mint,
    amount,
    ...(lockedUntil === undefined ? {} : { attributes: { lockedUntil } }),
  };
}
