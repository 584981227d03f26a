import { resolve } from 'node:path';
import { formatForError } from '../../../common/format-for-error.ts';
import { OperatorError } from '../../../common/operator-error.ts';
import { renderTable } from '../../../config/render.ts';
import { formatUnixSecond } from '../../../invites/unix-second.ts';
import { deriveInviteKey } from '../../../protocols/jupiter-send/invite-key.ts';
import { deriveInvite } from '../../../protocols/jupiter-send/invite-program.ts';
import { parseDecimalAmount } from '../../../solana/codec/decimal-amount.ts';
import type { Keypair } from '../../../solana/keypair.ts';
import type { CommandContext } from '../../command-line/command.ts';
import { UsageError } from '../../command-line/command-line.ts';
import { KEY_FILE_FLAG, readApiKey, URL_FLAG } from '../../instance-client/rest-call.ts';
import { awaitRpc, chooseRpc } from '../../instance-client/rpc-flag.ts';
import { claimInvite } from './claim-invite.ts';
import { fetchAmountFormat } from './claim-accounts.ts';
import { readClaimWallets } from './claim-wallets.ts';
import { describeEnd, findInvite } from './find-invite.ts';

/** Stands for a code that comes from the standard input, so that it is in no history of a shell. */
const FROM_INPUT = '-';
/** Codes have 12 characters, but any text makes a key. */
const MAX_CODE_LENGTH = 1_000;

/**
 * Claims what was sent to a code.
 *
 * @param defaultMaxFee - The most that the payer pays, in SOL, unless a flag says otherwise.
 */
export async function runSendClaim(context: CommandContext, defaultMaxFee: string): Promise<number> {
  const { config, flags, cwd, write } = context;
  const wallets = readClaimWallets(flags, cwd);
  const maxCost = parseMaxFee(flags.get('max-fee') ?? defaultMaxFee);
  const rpc = chooseRpc(flags, config);
  if (flags.has(URL_FLAG.name) && rpc.isEmbedded) {
    throw new UsageError('with --url, give the Solana RPC of that network with --rpc');
  }
  const keyFile = flags.get(KEY_FILE_FLAG.name);
  const key = keyFile === undefined ? null : readApiKey(resolve(cwd, keyFile));
  const inviteKey = await readInviteKey(context);
  const rest = { config, key, url: flags.get(URL_FLAG.name) ?? null };
  write(`${await claimInvite({ rest, rpc, inviteKey, maxCost, ...wallets })}\n`);
  return 0;
}

/** Shows what was sent to a code. */
export async function runSendShow(context: CommandContext): Promise<number> {
  const { config, flags, write } = context;
  const rpc = chooseRpc(flags, config);
  const { address: inviteKey } = await readInviteKey(context);
  const { address: invite } = deriveInvite(inviteKey);
  const found = await awaitRpc(findInvite(rpc.url, inviteKey), rpc);
  if (found.kind === 'unknown')
    throw new OperatorError(`no invite of this code is known: ${invite} is empty`);
  const sent = found.kind === 'open' ? found.invite : found.end;
  const mint = found.kind === 'open' ? (found.invite.token?.mint ?? null) : found.end.mint;
  const format = await fetchAmountFormat(rpc.url, mint);
  const open = found.kind === 'open' && (found.hasExpired ? 'expired, and goes back to the sender' : 'open');
  const rows = [
    ['invite', invite],
    ['invite key', inviteKey],
    ['state', found.kind === 'ended' ? describeEnd(found.end) : String(open)],
    ['sent', format(sent.amount)],
    ...(mint === null ? [] : [['mint', mint]]),
    ['sender', sent.sender],
    ['expires', formatUnixSecond(sent.expiresAt)],
    ...(found.kind === 'ended'
      ? [
          ['delivered', format(found.end.delivered)],
          ['transaction', found.signature],
        ]
      : []),
  ];
  write(renderTable(rows));
  return 0;
}

function parseMaxFee(text: string): bigint {
  try {
    return parseDecimalAmount(text, 9);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new UsageError(`flag --max-fee is ${formatForError(text)}: ${error.message}`);
  }
}

/** Derives the key from the code, which is in no message of this command. */
async function readInviteKey({ words: [word = ''], readLine }: CommandContext): Promise<Keypair> {
  const code = word === FROM_INPUT ? await readLine('Code: ') : word;
  if (code.length >= 1 && code.length <= MAX_CODE_LENGTH) return deriveInviteKey(code);
  throw new UsageError(`the code has ${code.length} characters, but must have 1 to ${MAX_CODE_LENGTH}`);
}
