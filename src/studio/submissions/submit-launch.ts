import { ALREADY_PROCESSED, requireAvailable } from '../../chain/chain.ts';
import type { Party } from '../../common/party.ts';
import type { Address } from '../../solana/address.ts';
import { submitAndRead, type SubmissionDependencies } from '../../transactions/submit/submit-and-read.ts';
import type { LaunchKeys } from '../keys/launch-keys.ts';
import { findHeaderFault, findImageType } from '../media/image-type.ts';
import type { StudioMedia } from '../media/open-media.ts';
import { refuseStudioField, StudioRefused } from '../studio-refused.ts';
import { isMintOnChain } from './landed-launches.ts';
import { readSignedLaunch, type SignedLaunch } from './signed-launch.ts';
import type { StudioLaunch, StudioLaunches } from './studio-launches.ts';

/** What launches are submitted with. */
export interface SubmitLaunchDependencies extends SubmissionDependencies {
  readonly keys: LaunchKeys;
  readonly launches: StudioLaunches;
  readonly media: Pick<StudioMedia, 'putHeader' | 'removeHeader'>;
}

/** A launch that its creator hands in. */
export interface LaunchSubmission {
  /** Base64. */
  readonly transaction: string;
  readonly owner: Address;
  /** The text of the page; null if there is none. */
  readonly content: string | null;
  /** The header image of the page; null if there is none. */
  readonly header: Uint8Array | null;
}

/** How a submission ended that was not refused. */
export type SubmittedLaunch =
  | { readonly kind: 'landed'; readonly mint: Address; readonly config: Address }
  /** The same submission again says how it ended. */
  | { readonly kind: 'unknown'; readonly message: string };

/** The most characters that the text of a page may have. */
export const MAX_CONTENT_LENGTH = 10_000;

/** What a launch costs its creator without a priority fee, with the lamports that a wallet must keep. Nearly all of it is rent. */
const LAUNCH_LAMPORTS = 33_600_000n;
/** The lifetime of a blockhash on every network but those of tests. */
const BLOCKHASH_BLOCKS = 150n;
const EXPIRED = 'BlockhashNotFound';
const PREPARE_AGAIN = 'call create-tx again, and let the creator sign the new transaction';

/**
 * Lands a launch, and records its page. The page is recorded before the transaction is sent, so a crash at any moment loses nothing:
 * the same submission again finds out what became of the first one. The first page of a launch stays.
 *
 * @param caller - Who asks, and so whose room the header image takes until the launch has landed.
 * @throws StudioRefused if it was not prepared here, cannot land, or has failed
 * @throws ChainUnavailable before anything was sent
 */
export async function submitLaunch(
  dependencies: SubmitLaunchDependencies,
  submission: LaunchSubmission,
  caller: Party,
): Promise<SubmittedLaunch> {
  const { keys, launches, chain } = dependencies;
  const signed = readSignedLaunch(submission.transaction, keys);
  const { creator, mint, config } = signed;
  if (submission.owner !== creator) {
    refuseStudioField(
      'owner',
      `owner must be the creator who has signed, ${creator}, got ${submission.owner}`,
    );
  }
  checkPage(submission);
  requireAvailable(chain);
  const known = await launches.find(mint);
  if (known !== null) return continueSubmission(dependencies, signed, known);
  const lastValidBlockHeight = await checkCanLand(dependencies, signed);
  if (lastValidBlockHeight instanceof StudioRefused) {
    // The same submission may have landed it meanwhile.
    const other = await launches.find(mint);
    if (other === null) throw lastValidBlockHeight;
    return continueSubmission(dependencies, signed, other);
  }
  const headerType = await storeHeader(dependencies.media, mint, submission.header, caller);
  const recorded = await launches.add({
    mint,
    config,
    owner: creator,
    signature: signed.signature,
    lastValidBlockHeight,
    content: submission.content,
    headerType,
    submittedAt: dependencies.timers.now(),
  });
  return land(dependencies, signed, recorded, false);
}

/** Finds out what became of a launch that was submitted before, or lands it. */
async function continueSubmission(
  dependencies: SubmitLaunchDependencies,
  signed: SignedLaunch,
  known: StudioLaunch,
): Promise<SubmittedLaunch> {
  const { chain, launches, timers } = dependencies;
  const { mint, config } = signed;
  if (known.landedAt === null) {
    if (!(await isMintOnChain(chain, mint))) return land(dependencies, signed, known, true);
    await launches.noteLanded(mint, timers.now());
  }
  return { kind: 'landed', mint, config };
}

function checkPage({ content, header }: LaunchSubmission): void {
  if (content !== null && content.length > MAX_CONTENT_LENGTH) {
    refuseStudioField(
      'content',
      `content must have at most ${MAX_CONTENT_LENGTH} characters, got ${content.length}`,
    );
  }
  const fault = header === null ? null : findHeaderFault(header);
  if (fault !== null) refuseStudioField('headerImage', `headerImage ${fault}`);
}

/**
 * Checks whether a launch can land that was not submitted before.
 * Returns the last block height at which it can, or why it cannot.
 */
async function checkCanLand(
  { chain, describeFailure }: SubmitLaunchDependencies,
  { wire, mint, blockhash, creator }: SignedLaunch,
): Promise<bigint | StudioRefused> {
  if (await isMintOnChain(chain, mint)) return refuseLaunched();
  // Over an outside RPC, not every recent blockhash is known. The simulation tells an old one in any case.
  const last = chain.lastValidHeightOf(blockhash) ?? chain.blockHeight('confirmed') + BLOCKHASH_BLOCKS;
  const { error, logs } = await chain.simulate(wire, { verifySignatures: true });
  if (error === EXPIRED || chain.blockHeight('confirmed') > last) return refuseExpired();
  // A launch that has landed just now is not confirmed yet.
  if (error !== null && (await isMintOnChain(chain, mint, 'processed'))) return refuseLaunched();
  if (error === ALREADY_PROCESSED) return refuseFailed('its transaction was landed before, and failed');
  if (error !== null) {
    const reason = (await describeLackOfSol(chain, creator)) ?? describeFailure(error, logs).message;
    return new StudioRefused('invalid', `the launch would fail, and was not sent: ${reason}`);
  }
  return last;
}

/** Returns why a launch fails whose creator cannot pay for it, which a program would say by a code only; null if it can. */
async function describeLackOfSol(
  chain: Pick<SubmitLaunchDependencies['chain'], 'getAccounts'>,
  creator: Address,
): Promise<string | null> {
  const [update] = await chain.getAccounts([creator], 'confirmed');
  const held = update?.account?.lamports ?? 0n;
  if (held >= LAUNCH_LAMPORTS) return null;
  return `its creator, ${creator}, has ${held} lamports, and the rents and fees of a launch are some ${LAUNCH_LAMPORTS}`;
}

/** Returns the type of the image; null if there is none. */
async function storeHeader(
  media: SubmitLaunchDependencies['media'],
  mint: Address,
  header: Uint8Array | null,
  caller: Party,
): Promise<string | null> {
  if (header === null) return null;
  const outcome = await media.putHeader(mint, header, caller);
  if (outcome === 'full') {
    refuseStudioField('headerImage', 'headerImage cannot be stored, because there is no room for more files');
  }
  return findImageType(header);
}

async function land(
  dependencies: SubmitLaunchDependencies,
  { wire, signature, mint, config }: SignedLaunch,
  { lastValidBlockHeight }: StudioLaunch,
  mayBeOut: boolean,
): Promise<SubmittedLaunch> {
  const { launches, media, timers } = dependencies;
  const forget = async (refusal: StudioRefused): Promise<never> => {
    // Another instance may have seen it land.
    if (await launches.remove(mint)) await media.removeHeader(mint);
    throw refusal;
  };
  const outcome = await submitAndRead(
    dependencies,
    { wire, signature, lastValidBlockHeight, isPaidByOthers: true },
    mayBeOut,
  );
  switch (outcome.kind) {
    case 'succeeded':
      await launches.noteLanded(mint, timers.now());
      return { kind: 'landed', mint, config };
    case 'failed':
      return forget(refuseFailed(outcome.failure.message));
    case 'expired':
      return forget(refuseExpired());
    case 'rejected':
      if (!outcome.isFinal) return describeUnknown(outcome.failure.message);
      return forget(refuseFailed(`the network refuses it: ${outcome.failure.message}`));
    case 'unknown':
      return describeUnknown('the network does not say whether the launch landed');
  }
}

function describeUnknown(reason: string): SubmittedLaunch {
  return { kind: 'unknown', message: `${reason}; send the same request again` };
}

function refuseLaunched(): StudioRefused {
  return new StudioRefused(
    'invalid',
    'the token is launched already, and not through submit, so it has no page',
  );
}

function refuseExpired(): StudioRefused {
  return new StudioRefused(
    'invalid',
    `the launch has not landed, because the blockhash of its transaction has expired; ${PREPARE_AGAIN}`,
  );
}

function refuseFailed(reason: string): StudioRefused {
  return new StudioRefused('invalid', `the launch failed: ${reason}; ${PREPARE_AGAIN}`);
}
