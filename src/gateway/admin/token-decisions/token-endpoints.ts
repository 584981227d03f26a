import { formatForError } from '../../../common/format-for-error.ts';
import { type Actor, change } from '../../../platform/audit/audit.ts';
import type { PlatformDependencies } from '../../../platform/dependencies.ts';
import { type Address, parseAddress } from '../../../solana/address.ts';
import type { TokenDecision } from '../../../tokens/decision.ts';
import type { VerificationRequest, VerificationRequests } from '../../../tokens/verification/requests.ts';
import type { StoredTokenDecisions } from '../../../tokens/verification/stored-decisions.ts';
import { RequestInvalid } from '../../http/validation.ts';
import { defineAdminEndpoint } from '../endpoint/admin-endpoint.ts';
import * as shape from './token-schema.ts';

export interface TokenControls {
  readonly platform: PlatformDependencies;
  readonly decisions: StoredTokenDecisions;
  readonly requests: VerificationRequests;
}

const TOKENS = '/admin/v1/tokens';
const REQUESTS = '/admin/v1/token-requests';
const REQUEST = `${REQUESTS}/:signature`;

const list = defineAdminEndpoint({
  method: 'GET',
  path: TOKENS,
  summary: 'All decisions about tokens',
  responses: { 200: shape.TokensAnswer },
  handle: async ({ decisions }: TokenControls) => ({
    decisions: [...decisions.mints()].map((mint) => toTokenAnswer(mint, decisions.of(mint))),
  }),
});

const decideOnToken = defineAdminEndpoint({
  method: 'PUT',
  path: `${TOKENS}/:mint`,
  summary: 'Verify a token, take that back, or ban the token',
  params: shape.TokenParams,
  body: shape.TokenBody,
  responses: { 200: shape.TokenAnswer },
  handle: async (controls: TokenControls, { params, body: { level, tags }, actor }) => {
    const mint = requireMint(params.mint);
    await writeStanding(controls, actor, mint, (before) => ({
      level,
      tags: tags ?? before?.tags ?? [],
      details: before?.details ?? {},
    }));
    return toTokenAnswer(mint, controls.decisions.of(mint));
  },
});

const forgetDecision = defineAdminEndpoint({
  method: 'DELETE',
  path: `${TOKENS}/:mint`,
  summary: 'Forget the decision about a token, with what was approved about it',
  params: shape.TokenParams,
  responses: { 200: shape.TokenAnswer },
  handle: async (controls: TokenControls, { params, actor }) => {
    const mint = requireMint(params.mint);
    await writeStanding(controls, actor, mint, () => null);
    return toTokenAnswer(mint, null);
  },
});

const listRequests = defineAdminEndpoint({
  method: 'GET',
  path: REQUESTS,
  summary: 'The newest 500 requests in a state',
  query: shape.RequestsQuery,
  responses: { 200: shape.RequestsAnswer },
  handle: async ({ requests }: TokenControls, { query }) => ({
    requests: (await requests.list(query.state ?? 'pending')).map(toRequestAnswer),
  }),
});

const approve = defineAdminEndpoint({
  method: 'POST',
  path: `${REQUEST}/approve`,
  summary: 'Approve a request: the token is verified, and shows the submitted metadata',
  params: shape.RequestParams,
  responses: { 200: shape.RequestAnswer },
  handle: async (controls: TokenControls, { params, actor }) =>
    toRequestAnswer(await decide(controls, actor, params.signature, true)),
});

const reject = defineAdminEndpoint({
  method: 'POST',
  path: `${REQUEST}/reject`,
  summary: 'Reject a request. The payment is not returned',
  params: shape.RequestParams,
  responses: { 200: shape.RequestAnswer },
  handle: async (controls: TokenControls, { params, actor }) =>
    toRequestAnswer(await decide(controls, actor, params.signature, false)),
});

/** The operator's decisions about tokens, and the paid requests for their verification. */
export const TOKEN_ENDPOINTS = [list, decideOnToken, forgetDecision, listRequests, approve, reject];

/** Closes a request and applies what it asked for, in one transaction with its entry of the audit log. */
async function decide(
  { platform, decisions, requests }: TokenControls,
  actor: Actor,
  signature: string,
  approved: boolean,
): Promise<VerificationRequest> {
  const decided = await change(platform, actor, async (db) => {
    const found = await requests.decide(db, signature, approved);
    if (found === null) {
      throw new RequestInvalid(
        `there is no request ${formatForError(signature)} that waits for a decision`,
        404,
      );
    }
    const { mint, submission, wantsVerification } = found;
    const done = { result: found, action: `token.request_${found.state}`, subject: mint };
    if (!approved) return { ...done, before: null, after: { signature } };
    const { before, after } = await decisions.write(db, mint, (known) => ({
      level: wantsVerification ? 'verified' : (known?.level ?? 'listed'),
      tags: known?.tags ?? [],
      details: { ...known?.details, ...submission.details },
    }));
    return { ...done, before, after: { signature, ...after } };
  });
  await decisions.refresh();
  return decided;
}

async function writeStanding(
  { platform, decisions }: TokenControls,
  actor: Actor,
  mint: Address,
  decideOn: (before: TokenDecision | null) => TokenDecision | null,
): Promise<void> {
  await change(platform, actor, async (db) => {
    const { before, after } = await decisions.write(db, mint, decideOn);
    return { result: null, action: 'token.decided', subject: mint, before, after };
  });
  await decisions.refresh();
}

/** @throws RequestInvalid when the text is no address */
function requireMint(text: string): Address {
  const mint = parseAddress(text);
  if (mint === null)
    throw new RequestInvalid(`mint must be an address in base58, got ${formatForError(text)}`);
  return mint;
}

function toTokenAnswer(mint: Address, decision: TokenDecision | null) {
  const { level, tags, details } = decision ?? { level: 'listed' as const, tags: [], details: {} };
  return { mint, level, tags: [...tags], details: { ...details } };
}

function toRequestAnswer(request: VerificationRequest) {
  const { signature, mint, sender, currency, amount, state, submission, wantsVerification, createdAt } =
    request;
  const { twitterHandle, senderTwitterHandle, description, details, notes } = submission;
  return {
    signature,
    mint,
    sender,
    currency,
    amount: String(amount),
    state,
    wantsVerification,
    twitterHandle,
    senderTwitterHandle,
    description,
    details: details === null ? null : { ...details },
    notes: { ...notes },
    createdAt,
  };
}
