import type { Address } from '../../solana/address.ts';
import { LayoutInvalid } from '../../solana/codec/byte-reader.ts';
import {
  type AssetAttributes,
  LOCKED_WITHOUT_END,
  toLockedUntilMs,
  type MultipleElement,
  type TokenAsset,
} from '../../protocol/positions/element.ts';
import {
  type PositionFetcher,
  readEach,
  type WalletClock,
  type WalletReader,
} from '../../protocol/positions/fetcher.ts';
import { readTokenBalance } from '../../protocol/positions/token-balance.ts';
import { computeClaimAmounts } from './claim-amounts.ts';
import {
  CLAIMANT_AT,
  type ClaimStatus,
  decodeClaimStatus,
  decodeDistributor,
  DISTRIBUTOR_PROGRAM,
  type Distributor,
  isDistributor,
} from './layout.ts';
import { JUPUARY_PLATFORM } from './platform.ts';

const PLATFORM = JUPUARY_PLATFORM.id;
/** The program wrote claims of 208 bytes before those of 160, with the same fields. */
const CLAIMANT = { offset: CLAIMANT_AT };

type AirdropClaim = ClaimStatus & { readonly address: Address };

/**
 * Finds airdrops of which the wallet has claimed a part. Each is one element. Airdrops without a claim cannot be found,
 * because until then the share of the wallet is in a Merkle tree off the chain.
 */
export const jupiterAirdrops: PositionFetcher = {
  id: `${PLATFORM}-airdrops`,
  platformId: PLATFORM,
  rareSearch: { program: DISTRIBUTOR_PROGRAM, field: CLAIMANT },
  fetch: async (wallet) => {
    const found = (await wallet.findAccounts(DISTRIBUTOR_PROGRAM, CLAIMANT, [wallet.owner])).filter(
      ({ account }) => !isDistributor(account.data),
    );
    const claims = readEach(found, ({ address, account }) => {
      const claim = decodeClaimStatus(account.data);
      return claim.lockedAmountWithdrawn < claim.lockedAmount ? { address, ...claim } : null;
    });
    if (claims.positions.length === 0) return { elements: [], unreadable: claims.unreadable };
    const [distributors, clock] = await Promise.all([
      readDistributors(wallet, claims.positions),
      wallet.clock(),
    ]);
    const { positions, unreadable } = readEach(claims.positions, (claim) =>
      createClaimElement(claim, distributors.get(claim.distributor), clock),
    );
    return { elements: positions, unreadable: [...claims.unreadable, ...unreadable] };
  },
};

/** A distributor with the balance of its vault in atoms, or the reason why it cannot be read. */
type FoundDistributor =
  | { readonly distributor: Distributor; readonly held: bigint }
  | { readonly unreadable: string };

/** Reads distributors. Those that no longer exist are missing from the map. */
async function readDistributors(
  wallet: WalletReader,
  claims: readonly AirdropClaim[],
): Promise<ReadonlyMap<Address, FoundDistributor>> {
  const addresses = [...new Set(claims.map(({ distributor }) => distributor))];
  const accounts = await wallet.accounts(addresses);
  const existing = addresses.flatMap((address, index) => {
    const account = accounts[index] ?? null;
    return account?.owner === DISTRIBUTOR_PROGRAM ? [{ address, account }] : [];
  });
  const { positions, unreadable } = readEach(existing, ({ address, account }) => ({
    address,
    distributor: decodeDistributor(account.data),
  }));
  const vaults = await wallet.accounts(positions.map(({ distributor }) => distributor.tokenVault));
  const found = new Map<Address, FoundDistributor>();
  for (const [index, { address, distributor }] of positions.entries()) {
    found.set(address, { distributor, held: readTokenBalance(vaults[index] ?? null) });
  }
  for (const { address, reason } of unreadable) found.set(address, { unreadable: reason });
  return found;
}

/** Returns the element of a claim, or null when nothing is left: the distributor was closed, or took its tokens back. */
function createClaimElement(
  claim: AirdropClaim,
  found: FoundDistributor | undefined,
  clock: WalletClock,
): MultipleElement | null {
  if (found === undefined) return null;
  if ('unreadable' in found)
    throw new LayoutInvalid(`its distributor ${claim.distributor}: ${found.unreadable}`);
  const { distributor, held } = found;
  if (distributor.isClawedBack) return null;
  const amounts = computeClaimAmounts(claim, distributor, clock, held);
  const asset = (amount: bigint, attributes: AssetAttributes): TokenAsset[] =>
    amount === 0n ? [] : [{ type: 'token', mint: distributor.mint, amount, attributes }];
  return {
    type: 'multiple',
    label: 'Airdrop',
    assets: [
      ...asset(amounts.payable, { isClaimable: true }),
      ...asset(amounts.blocked, { lockedUntil: activationMs(distributor, clock) }),
      ...asset(amounts.locked, { lockedUntil: toLockedUntilMs(distributor.endsAt) }),
    ],
    ref: claim.address,
    sourceRefs: [{ address: claim.distributor, name: 'Distributor' }],
  };
}

/** Returns the time from which claims are paid in Unix ms, if it is known and in the future. */
function activationMs(
  { activationType, activationPoint }: Distributor,
  { unixTimestamp }: WalletClock,
): number {
  const isKnown = activationType === 'timestamp' && activationPoint > unixTimestamp;
  return isKnown ? toLockedUntilMs(activationPoint) : LOCKED_WITHOUT_END;
}
