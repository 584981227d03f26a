import type { Chain } from '../../chain/chain.ts';
import type { Party } from '../../common/party.ts';
import { deriveDbcPoolKeys } from '../../protocols/meteora-dbc/program/addresses.ts';
import {
  createDbcConfig,
  initializeDbcPool,
} from '../../protocols/meteora-dbc/program/instructions-launch.ts';
import type { Address } from '../../solana/address.ts';
import { signTransaction } from '../../solana/messages/transaction.ts';
import { TOKEN_PROGRAM } from '../../solana/program-addresses.ts';
import {
  computePriorityFee,
  computeUnitPrice,
  PRICE_PERCENTILE,
} from '../../transactions/build/priority-fee.ts';
import { compileContents } from '../../transactions/build/transaction-message.ts';
import { buildLaunchParameters } from '../curve/build-launch.ts';
import type { LaunchCurvePlan } from '../curve/launch-plan.ts';
import type { LaunchKeys } from '../keys/launch-keys.ts';
import type { ImageType } from '../media/media.ts';
import type { LaunchLinks, UploadLinks } from '../media/upload-links.ts';
import { StudioRefused } from '../studio-refused.ts';
import { checkLaunchNames, type LaunchNames } from './launch-names.ts';

/** What launches are made with. */
export interface LaunchCraftDependencies {
  readonly chain: Pick<Chain, 'recentBlockhash' | 'recentPriorityFees'>;
  readonly keys: LaunchKeys;
  readonly links: Pick<UploadLinks, 'createLinks'>;
  /** Returns the URL at which clients reach the gateway; null if the operator has named none. */
  readonly getOrigin: () => string | null;
  /** The wallet that gets the operator's share; null if the operator has named none. */
  readonly partner: Address | null;
  /** Returns a number from 0 up to 1. */
  readonly random: () => number;
}

/** A launch as its creator describes it. */
export interface LaunchRequest {
  readonly curve: LaunchCurvePlan;
  readonly names: LaunchNames;
  readonly imageType: ImageType;
  /** The wallet that pays, and that gets the creator's share. */
  readonly creator: Address;
}

/** A launch that waits for the signature of its creator. */
export interface CraftedLaunch {
  readonly links: LaunchLinks;
  /** The transaction, which the mint and the configuration have signed. */
  readonly wire: Uint8Array;
  readonly mint: Address;
}

/** Half as much again as the launch with the longest names has used of the public programs. */
const COMPUTE_UNITS = 300_000;

/**
 * Makes the transaction that creates a configuration and launches a token under it. Its keys sign it here, so nothing in it can be
 * changed, and the signature of the creator completes it. Nothing is stored.
 *
 * @param caller - Who asks, and so whose room the files of the launch take.
 * @throws StudioRefused if the description has no meaning, or the operator has not set what it takes
 * @throws ChainUnavailable as long as no blockhash is known
 */
export function craftLaunch(
  dependencies: LaunchCraftDependencies,
  { curve, names, imageType, creator }: LaunchRequest,
  caller: Party,
): CraftedLaunch {
  const { chain, keys, partner } = dependencies;
  if (partner === null) return refuseUnset('studio-partner');
  if (dependencies.getOrigin() === null) return refuseUnset('studio-url');
  checkLaunchNames(names);
  const parameters = buildLaunchParameters(curve, dependencies.random);
  const { mint, config } = keys.create();
  const links = dependencies.links.createLinks(mint.address, imageType, caller);
  const pool = deriveDbcPoolKeys({
    config: config.address,
    baseMint: mint.address,
    quoteMint: curve.quoteMint,
    tokenBaseProgram: TOKEN_PROGRAM,
    tokenQuoteProgram: TOKEN_PROGRAM,
  });
  const parties = {
    config: config.address,
    feeClaimer: partner,
    leftoverReceiver: partner,
    quoteMint: curve.quoteMint,
    payer: creator,
  };
  const instructions = [
    createDbcConfig(parties, parameters),
    initializeDbcPool(
      pool,
      { creator, payer: creator },
      { name: names.name, symbol: names.symbol, uri: links.metadataUrl },
    ),
  ];
  const recent = computeUnitPrice(chain.recentPriorityFees([pool.quoteMint]), PRICE_PERCENTILE);
  const { price } = computePriorityFee(null, recent, COMPUTE_UNITS);
  const messageBytes = compileContents(
    { feePayer: creator, instructions, lookupTables: null },
    { limit: COMPUTE_UNITS, price: price === 0n ? null : price },
    chain.recentBlockhash(),
  );
  return { links, wire: signTransaction(messageBytes, [mint, config]), mint: mint.address };
}

function refuseUnset(setting: string): never {
  throw new StudioRefused(
    'invalid',
    `launches are not prepared here, because the operator has not set ${setting}`,
  );
}
