import type { RecentBlockhash } from '../../../chain/chain.ts';
import type { Address } from '../../../solana/address.ts';
import { BoundedCache } from '../../../common/collections/bounded-cache.ts';
import {
  type AccountMeta,
  type Instruction,
  isSigner,
  isWritable,
} from '../../../solana/messages/instruction.ts';
import type { BuiltSwap } from '../../../swaps/build/build.ts';
import { encodeInstructionData, toBlockhashJson } from './instruction-json.ts';
import type { RoutePlanStepJson } from './route-plan-json.ts';

/** A built swap without its route, which is encoded as a route plan. */
export type WrittenSwap = Omit<BuiltSwap, 'route'>;

/**
 * Encodes the body of `GET /swap/v2/build`, byte for byte as `JSON.stringify` encodes a `BuildResponse`. All of it is
 * ASCII. Most of it rarely changes, such as the contents of lookup tables and the lists of accounts, so the texts of
 * these pieces are cached.
 */
export function writeBuildJson(built: WrittenSwap, routePlan: readonly RoutePlanStepJson[]): Buffer {
  const head = writeHeadJson(built, routePlan);
  const tables = getTablesJson(built.lookupTables);
  const tail = `,"blockhashWithMetadata":${blockhashText(built.blockhash)}}`;
  const json = allocateResponseBuffer(head.length + tables.length + tail.length);
  json.write(head, 'latin1');
  if (typeof tables === 'string') json.write(tables, head.length, 'latin1');
  else json.set(tables, head.length);
  json.write(tail, head.length + tables.length, 'latin1');
  return json;
}

function writeHeadJson(built: WrittenSwap, routePlan: readonly RoutePlanStepJson[]): string {
  return `{"inputMint":"${built.inputMint}","outputMint":"${built.outputMint}","inAmount":"${built.inAmount}"\
,"outAmount":"${built.outAmount}","otherAmountThreshold":"${built.threshold}"\
,"swapMode":"ExactIn","slippageBps":${built.slippageBps},"priceImpactPct":"${built.priceImpact}"\
,"routePlan":[${routePlan.map(writeStepJson).join()}]\
,"computeBudgetInstructions":${listJson(built.computeBudget)}\
,"setupInstructions":${listJson(built.setup)},"swapInstruction":${writeInstructionJson(built.swap)}\
,"cleanupInstruction":${writeInstructionJson(built.cleanup)}\
,"otherInstructions":${listJson(built.others)},"tipInstruction":${writeInstructionJson(built.tip)}\
,"addressesByLookupTableAddress":`;
}

function writeStepJson({ swapInfo: swap, percent, bps, usdValue }: RoutePlanStepJson): string {
  return `{"swapInfo":{"ammKey":"${swap.ammKey}","label":"${swap.label}","inputMint":"${swap.inputMint}"\
,"outputMint":"${swap.outputMint}","inAmount":"${swap.inAmount}","outAmount":"${swap.outAmount}"}\
,"percent":${percent},"bps":${bps}${usdValue === undefined ? '' : `,"usdValue":${Number.isFinite(usdValue) ? usdValue : null}`}}`;
}

function listJson(instructions: readonly Instruction[]): string {
  return `[${instructions.map(writeInstructionJson).join()}]`;
}

function writeInstructionJson(instruction: Instruction | null): string {
  if (instruction === null) return 'null';
  const { programAddress, accounts, data } = instruction;
  return `{"programId":"${programAddress}","accounts":[${writeAccountsJson(accounts)}],"data":"${encodeInstructionData(data)}"}`;
}

/** By the first account, usually the wallet's, because a wallet that asks again mostly gets the same routes. */
const textsOfLists = new BoundedCache<Address, AccountList[]>(1 << 8);
/** A pair takes four with the creations and the transfer. A list has 7 kB at most. */
const LISTS_PER_ACCOUNT = 8;

interface AccountList {
  readonly accounts: readonly AccountMeta[];
  readonly text: string;
}

function writeAccountsJson(accounts: readonly AccountMeta[]): string {
  const first = accounts[0];
  if (first === undefined) return '';
  let lists = textsOfLists.get(first.address);
  if (lists === undefined) {
    lists = [];
    textsOfLists.set(first.address, lists);
  }
  for (const each of lists) if (areSame(each.accounts, accounts)) return each.text;
  let texts = '';
  for (const each of accounts) texts += getAccountJson(each);
  // Built as one flat string. A concatenation would be flattened again for each answer.
  const text = Buffer.from(texts, 'latin1').toString('latin1', 1);
  if (lists.length === LISTS_PER_ACCOUNT) lists.shift();
  lists.push({ accounts, text });
  return text;
}

function areSame(one: readonly AccountMeta[], other: readonly AccountMeta[]): boolean {
  if (one.length !== other.length) return false;
  // Lists mostly differ in their last accounts, because the first ones are the user's.
  for (let at = one.length - 1; at >= 0; at--) {
    const [left, right] = [one[at] as AccountMeta, other[at] as AccountMeta];
    if (left.address !== right.address || left.role !== right.role) return false;
  }
  return true;
}

/**
 * Each text begins with a comma. By address, at the index of the role; there is room for more than the accounts of
 * the busy pools.
 */
const textsOfAccounts = new BoundedCache<Address, string[]>(1 << 13);

function getAccountJson({ address, role }: AccountMeta): string {
  let texts = textsOfAccounts.get(address);
  if (texts === undefined) {
    texts = [];
    textsOfAccounts.set(address, texts);
  }
  let text = texts[role];
  if (text === undefined) {
    const account = { pubkey: address, isWritable: isWritable(role), isSigner: isSigner(role) };
    // Built as one flat string. A concatenation would be flattened again for each answer.
    text = JSON.stringify([0, account]).slice(2, -1);
    texts[role] = text;
  }
  return text;
}

/** By the object of the chosen tables, which is replaced whenever one of them changes. */
const textsOfTables = new WeakMap<object, Buffer>();

function getTablesJson(tables: BuiltSwap['lookupTables']): Buffer | string {
  if (tables === null) return 'null';
  let text = textsOfTables.get(tables);
  if (text === undefined) {
    text = Buffer.from(JSON.stringify(tables));
    textsOfTables.set(tables, text);
  }
  return text;
}

/** The chain returns the same object until there is a newer blockhash. */
const textsOfBlockhashes = new WeakMap<RecentBlockhash, string>();

function blockhashText(recent: RecentBlockhash): string {
  let text = textsOfBlockhashes.get(recent);
  if (text === undefined) {
    text = JSON.stringify(toBlockhashJson(recent));
    textsOfBlockhashes.set(recent, text);
  }
  return text;
}

/**
 * Holds a few answers, because a block stays in memory as long as any of its answers. From 128 KiB on, allocators
 * request memory from the system and return it each time, page by page.
 */
const BLOCK_BYTES = 120 * 1024;
/** Larger answers get memory of their own. */
const SHARED_BYTES = BLOCK_BYTES / 3;

let block = Buffer.alloc(0);
let used = 0;

/**
 * Allocates memory for an answer. Answers are cut from blocks one after another, because allocating memory for each
 * costs more than writing the answer. No memory is handed out twice: a block is collected with its last answer.
 * Returns memory that is not zeroed.
 */
function allocateResponseBuffer(bytes: number): Buffer {
  if (bytes > SHARED_BYTES) return Buffer.allocUnsafeSlow(bytes);
  if (used + bytes > block.length) {
    block = Buffer.allocUnsafeSlow(BLOCK_BYTES);
    used = 0;
  }
  const memory = block.subarray(used, used + bytes);
  used += bytes;
  return memory;
}
