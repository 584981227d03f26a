import { NATIVE_SYMBOL } from '../../solana/known-tokens.ts';
import type { Address } from '../../solana/address.ts';
import { deriveAssociatedTokenAddress } from '../../solana/pda.ts';
import { formatShortAddress } from './form/short-address.ts';
import type { AccountFacts, FoundPool } from './account-facts.ts';

/** What labels of accounts are made from. */
export interface LabelSources {
  readonly facts: AccountFacts;
  /** The signers, the fee payer first. */
  readonly signers: readonly Address[];
  /** Returns the name of a program or a sysvar, or null. */
  readonly findLabel: (address: Address) => string | null;
}

/** Derived addresses take 0.1 ms each, so only some signers and mints are combined. */
const MAX_OWNERS = 3;
const MAX_MINTS = 12;

/**
 * Labels the accounts of a transaction. The map has those that something is known of.
 *
 * @param addresses - All accounts of the transaction.
 */
export function createAccountLabels(
  { facts, signers, findLabel }: LabelSources,
  addresses: readonly Address[],
): ReadonlyMap<Address, string> {
  const [feePayer] = signers;
  const vaults = labelVaults(facts);
  const labels = new Map<Address, string>();
  const nameOwner = (owner: Address) => {
    if (owner === feePayer) return 'the fee payer';
    return findLabel(owner) ?? labelPool(facts, owner) ?? formatShortAddress(owner);
  };
  for (const address of new Set(addresses)) {
    const holding = facts.holdings.get(address);
    const label =
      findLabel(address) ??
      (address === feePayer ? 'fee payer' : null) ??
      labelPool(facts, address) ??
      vaults.get(address) ??
      (holding === undefined
        ? labelMint(facts, address)
        : `${nameToken(facts, holding.mint)} account of ${nameOwner(holding.owner)}`);
    if (label !== null) labels.set(address, label);
  }
  if (addresses.some((address) => !labels.has(address))) {
    for (const [address, label] of labelDerived(facts, signers, nameOwner)) {
      if (!labels.has(address)) labels.set(address, label);
    }
  }
  return labels;
}

/** Labels the associated token accounts of the signers, which need not exist yet. */
function* labelDerived(
  { mints }: AccountFacts,
  signers: readonly Address[],
  nameOwner: (owner: Address) => string,
): Generator<readonly [Address, string]> {
  for (const owner of signers.slice(0, MAX_OWNERS)) {
    for (const { mint, symbol, program } of [...mints.values()].slice(0, MAX_MINTS)) {
      if (program === null) continue;
      const address = deriveAssociatedTokenAddress(owner, mint as Address, program);
      yield [address, `${symbol ?? formatShortAddress(mint)} account of ${nameOwner(owner)}`];
    }
  }
}

function labelVaults(facts: AccountFacts): ReadonlyMap<Address, string> {
  const labels = new Map<Address, string>();
  for (const found of facts.pools.values()) {
    const vaults = found.venue.vaults?.(found.pool) ?? [];
    for (const [side, vault] of vaults.entries()) {
      const mint = found.pool.mints[side];
      // A venue that issues a token itself has its mint in place of a vault.
      if (mint === undefined || mint === vault) continue;
      labels.set(vault, `${nameToken(facts, mint)} vault of ${namePool(facts, found)}`);
    }
  }
  return labels;
}

function labelPool(facts: AccountFacts, address: Address): string | null {
  const found = facts.pools.get(address);
  return found === undefined ? null : `${namePool(facts, found)} pool`;
}

function namePool(facts: AccountFacts, { venue, pool }: FoundPool): string {
  return `${venue.label} ${pool.mints.map((mint) => nameToken(facts, mint)).join('/')}`;
}

function labelMint(facts: AccountFacts, address: Address): string | null {
  const unit = facts.mints.get(address);
  if (unit === undefined) return null;
  return unit.symbol === NATIVE_SYMBOL ? 'wrapped SOL mint' : `${unit.symbol ?? 'token'} mint`;
}

function nameToken({ mints }: AccountFacts, mint: Address): string {
  return mints.get(mint)?.symbol ?? formatShortAddress(mint);
}
