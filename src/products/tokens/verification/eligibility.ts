import type { Address } from '../../../solana/address.ts';
import type { TokenDecisions } from '../../../tokens/decision.ts';
import type { Tokens } from '../../../tokens/tokens.ts';
import type { VerificationRequests } from '../../../tokens/verification/requests.ts';

/** Which requests about a token would be accepted now. */
export interface Eligibility {
  readonly tokenExists: boolean;
  readonly isVerified: boolean;
  /** Why a request for verification would be refused; null if it would not. */
  readonly verificationError: string | null;
  /** Why new metadata would be refused; null if it would not. */
  readonly metadataError: string | null;
}

export interface EligibilityDependencies {
  readonly tokens: Pick<Tokens, 'find' | 'isVerified'>;
  readonly decisions: Pick<TokenDecisions, 'of'>;
  readonly requests: Pick<VerificationRequests, 'openFor'>;
}

/** @throws Unavailable when the chain or the database does not answer */
export async function checkEligibility(
  { tokens, decisions, requests }: EligibilityDependencies,
  mint: Address,
): Promise<Eligibility> {
  if (decisions.of(mint)?.level === 'banned')
    return createIneligible('The operator has banned this token', true);
  const [token] = await tokens.find([mint]);
  if (token === undefined) return createIneligible('There is no token at this address', false);
  const open = await requests.openFor(mint);
  const isVerified = tokens.isVerified(mint);
  return {
    tokenExists: true,
    isVerified,
    verificationError: isVerified
      ? 'This token is already verified'
      : open.verification
        ? 'A premium verification request for this token already exists'
        : null,
    metadataError: open.metadata ? 'A premium metadata update request for this token already exists' : null,
  };
}

function createIneligible(reason: string, tokenExists: boolean): Eligibility {
  return { tokenExists, isVerified: false, verificationError: reason, metadataError: reason };
}
