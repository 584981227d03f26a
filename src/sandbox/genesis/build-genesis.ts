import type { AddressedAccount } from '../../chain/records/records.ts';
import { AccountLedger } from '../../protocol/genesis/account-ledger.ts';
import { type GenesisKeys, deriveGenesisKeys } from '../../protocol/genesis/keys.ts';
import { addMint } from '../../protocol/genesis/mints.ts';
import { PRICES_IMITATE } from '../../protocol/genesis/prices.ts';
import type { StandIn } from '../../protocol/genesis/stand-in.ts';
import { type TokenInfo, TOKENS } from '../../solana/known-tokens.ts';
import { addDemoWallets, addPredictionTraders, addSponsor, addWebhookMaker } from '../demo/wallets.ts';
import { PROGRAM_AUTHORITIES } from '../../protocol/venue/aggregator-program.ts';
import type { GenesisPools, VenueGenesis } from '../../protocol/genesis/venue-genesis.ts';
import { PROTOCOLS } from '../../protocols/index.ts';
import type { Address } from '../../solana/address.ts';
import type { Instruction } from '../../solana/messages/instruction.ts';
import { createIdl } from '../../solana/programs/idl/idl.ts';
import { deriveIdlAddress, encodeIdlAccount } from '../../solana/programs/idl/idl-account.ts';
import { MIN_WALLET_LAMPORTS } from '../../solana/rent.ts';
import { addWalletPositions } from '../demo/wallet-positions.ts';
import { addLookupTables, type GenesisLookupTable } from './lookup-tables.ts';
import { listInterfaces, orderStandIns } from './programs.ts';

/** The state from which the embedded network starts. */
export interface Genesis {
  /** Every account except programs and those that the runtime keeps itself, each address once, in a fixed order. */
  readonly accounts: readonly AddressedAccount[];
  readonly programs: readonly StandIn[];
  readonly keys: GenesisKeys;
  readonly tokens: readonly TokenInfo[];
  /** The pools of each venue, in the order in which they were written. */
  readonly pools: GenesisPools;
  /** The mint authorities of the tokens that pools issue, by mint. `keys.mintAuthority` mints all other tokens. */
  readonly issuers: ReadonlyMap<Address, Address>;
  /** The instructions that the network runs at the start of each epoch. */
  readonly epochInstructions: readonly Instruction[];
  readonly lookupTables: readonly GenesisLookupTable[];
}

/** 500 million SOL: more than airdrops can ask for, and far enough from 2^64 that sums of balances stay below it. */
const FAUCET_LAMPORTS = 500_000_000_000_000_000n;
/** 100 SOL for each key that acts for itself. */
const KEY_LAMPORTS = 100_000_000_000n;

/** The day that prices imitate, in Unix seconds. Tests begin their networks at it. */
export const GENESIS_TIME = BigInt(Date.parse(PRICES_IMITATE) / 1_000);

/**
 * Writes the accounts of the embedded network, with those of every protocol in the list.
 *
 * @param foundedAt - Unix seconds at which the network begins. Protocols may have been set up before.
 * @returns the same accounts, byte for byte, for the same seed and time; their addresses depend on the seed alone
 */
export function buildGenesis(seed: string, foundedAt: bigint = GENESIS_TIME): Genesis {
  const keys = deriveGenesisKeys(seed);
  const ledger = new AccountLedger();
  ledger.addWallet(keys.faucet.address, FAUCET_LAMPORTS);
  for (const { address } of [keys.mintAuthority, keys.poolCreator, keys.feeOwner]) {
    ledger.addWallet(address, KEY_LAMPORTS);
  }
  // Tips go to these: a tip below the rent of an absent account would be refused.
  for (const address of PROGRAM_AUTHORITIES) ledger.addWallet(address, MIN_WALLET_LAMPORTS);
  addDemoWallets(ledger, keys);
  addSponsor(ledger, keys);
  addWebhookMaker(ledger, keys);
  addPredictionTraders(ledger, keys);
  for (const { genesis } of PROTOCOLS) genesis?.addAccounts?.(ledger, keys, foundedAt);
  const pools = new Map(venuesInOrder().map((venue) => [venue, venue.addPools(ledger, keys)]));
  addWalletPositions(ledger, keys, pools, foundedAt);
  const issuers = collectIssuers(pools);
  for (const token of TOKENS) {
    addMint(ledger, token, issuers.get(token.mint) ?? keys.mintAuthority.address);
  }
  for (const { genesis } of PROTOCOLS) genesis?.addLastAccounts?.(ledger, keys, foundedAt);
  addInterfaces(ledger);
  return {
    lookupTables: addLookupTables(ledger, keys, pools),
    accounts: ledger.accounts(),
    programs: orderStandIns(PROTOCOLS),
    keys,
    tokens: TOKENS,
    pools,
    issuers,
    epochInstructions: collectEpochInstructions(pools),
  };
}

/** Adds the accounts in which Anchor's clients find the interfaces of programs. */
function addInterfaces(ledger: AccountLedger): void {
  for (const declared of listInterfaces(PROTOCOLS)) {
    const { address } = declared;
    ledger.addData(deriveIdlAddress(address), address, encodeIdlAccount(createIdl(declared)));
  }
}

/** Venues whose pools issue tokens come last, because each pool accounts for all of its tokens. */
function venuesInOrder(): readonly VenueGenesis[] {
  const all = PROTOCOLS.flatMap(({ genesis }) => genesis?.pools ?? []);
  return [
    ...all.filter(({ issuedToken }) => issuedToken === undefined),
    ...all.filter(({ issuedToken }) => issuedToken !== undefined),
  ];
}

function collectIssuers(pools: GenesisPools): ReadonlyMap<Address, Address> {
  const issued = [...pools].flatMap(([venue, its]) => its.flatMap((pool) => venue.issuedToken?.(pool) ?? []));
  return new Map(issued.map(({ mint, mintAuthority }) => [mint, mintAuthority]));
}

function collectEpochInstructions(pools: GenesisPools): readonly Instruction[] {
  return [...pools].flatMap(([venue, its]) => its.flatMap((pool) => venue.epochInstruction?.(pool) ?? []));
}
