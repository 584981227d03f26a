import type { Address } from '../../../solana/address.ts';
import { BoundedCache } from '../../../common/collections/bounded-cache.ts';
import {
  type AccountMeta,
  type Instruction,
  isSigner,
  isWritable,
} from '../../../solana/messages/instruction.ts';
import { responseBuffers } from './response-buffers.ts';
import type { BuiltSwap } from './build.ts';
import { dataText } from '../instruction-json.ts';
import type { BuildResponse, RoutePlanStepJson } from '../schema.ts';

/**
 * The answer as JSON, the same that `JSON.stringify` makes of a `BuildResponse`. All of it is ASCII. Most of it is what
 * hardly ever changes, the contents of lookup tables and what is said of an account: these pieces are kept.
 */
export function buildJson(built: BuiltSwap): Buffer {
  const head = headJson(built);
  const tables = tablesJson(built.addressesByLookupTableAddress);
  const tail = `,"blockhashWithMetadata":${blockhashJson(built.blockhashWithMetadata)}}`;
  const json = responseBuffers(head.length + tables.length + tail.length);
  json.write(head, 'latin1');
  if (typeof tables === 'string') json.write(tables, head.length, 'latin1');
  else json.set(tables, head.length);
  json.write(tail, head.length + tables.length, 'latin1');
  return json;
}

function headJson(built: BuiltSwap): string {
  return `{"inputMint":"${built.inputMint}","outputMint":"${built.outputMint}","inAmount":"${built.inAmount}"\
,"outAmount":"${built.outAmount}","otherAmountThreshold":"${built.otherAmountThreshold}"\
,"swapMode":"${built.swapMode}","slippageBps":${built.slippageBps},"priceImpactPct":"${built.priceImpactPct}"\
,"routePlan":[${built.routePlan.map(stepJson).join()}]\
,"computeBudgetInstructions":${listJson(built.computeBudgetInstructions)}\
,"setupInstructions":${listJson(built.setupInstructions)},"swapInstruction":${instructionJson(built.swapInstruction)}\
,"cleanupInstruction":${instructionJson(built.cleanupInstruction)}\
,"otherInstructions":${listJson(built.otherInstructions)},"tipInstruction":${instructionJson(built.tipInstruction)}\
,"addressesByLookupTableAddress":`;
}

function stepJson({ swapInfo: swap, percent, bps, usdValue }: RoutePlanStepJson): string {
  return `{"swapInfo":{"ammKey":"${swap.ammKey}","label":"${swap.label}","inputMint":"${swap.inputMint}"\
,"outputMint":"${swap.outputMint}","inAmount":"${swap.inAmount}","outAmount":"${swap.outAmount}"}\
,"percent":${percent},"bps":${bps}${usdValue === undefined ? '' : `,"usdValue":${Number.isFinite(usdValue) ? usdValue : null}`}}`;
}

function listJson(instructions: readonly Instruction[]): string {
  return `[${instructions.map(instructionJson).join()}]`;
}

function instructionJson(instruction: Instruction | null): string {
  if (instruction === null) return 'null';
  const { programAddress, accounts, data } = instruction;
  return `{"programId":"${programAddress}","accounts":[${accountsJson(accounts)}],"data":"${dataText(data)}"}`;
}

/** By the first account, which is mostly the wallet's: one that asks again often has the same routes again. */
const textsOfLists = new BoundedCache<Address, AccountList[]>(1 << 8);
/** A pair takes four with the creations and the transfer; a list is 7 kB at most. */
const LISTS_PER_ACCOUNT = 8;

interface AccountList {
  readonly accounts: readonly AccountMeta[];
  readonly text: string;
}

function accountsJson(accounts: readonly AccountMeta[]): string {
  const first = accounts[0];
  if (first === undefined) return '';
  let lists = textsOfLists.get(first.address);
  if (lists === undefined) {
    lists = [];
    textsOfLists.set(first.address, lists);
  }
  for (const each of lists) if (areSame(each.accounts, accounts)) return each.text;
  let texts = '';
  for (const each of accounts) texts += accountJson(each);
  // Made as one text: joined from many, it would be put together again in each answer.
  const text = Buffer.from(texts, 'latin1').toString('latin1', 1);
  if (lists.length === LISTS_PER_ACCOUNT) lists.shift();
  lists.push({ accounts, text });
  return text;
}

function areSame(one: readonly AccountMeta[], other: readonly AccountMeta[]): boolean {
  if (one.length !== other.length) return false;
  // Routes differ in their last accounts sooner than in the first, which are the user's.
  for (let at = one.length - 1; at >= 0; at--) {
    const [left, right] = [one[at] as AccountMeta, other[at] as AccountMeta];
    if (left.address !== right.address || left.role !== right.role) return false;
  }
  return true;
}

/** With a comma before it. By address, at the place of the role; more than the accounts of the busy pools. */
const textsOfAccounts = new BoundedCache<Address, string[]>(1 << 13);

function accountJson({ address, role }: AccountMeta): string {
  let texts = textsOfAccounts.get(address);
  if (texts === undefined) {
    texts = [];
    textsOfAccounts.set(address, texts);
  }
  let text = texts[role];
  if (text === undefined) {
    const account = { pubkey: address, isWritable: isWritable(role), isSigner: isSigner(role) };
    // Made as one text: joined from two, it would be put together again in each answer.
    text = JSON.stringify([0, account]).slice(2, -1);
    texts[role] = text;
  }
  return text;
}

/** By the choice of tables, which is another object whenever one of them changes. */
const textsOfTables = new WeakMap<object, Buffer>();

function tablesJson(tables: BuiltSwap['addressesByLookupTableAddress']): Buffer | string {
  if (tables === null) return 'null';
  let text = textsOfTables.get(tables);
  if (text === undefined) {
    text = Buffer.from(JSON.stringify(tables));
    textsOfTables.set(tables, text);
  }
  return text;
}

/** By the blockhash's bytes as a list, which is one and the same for all answers of a slot. */
const textsOfNumbers = new WeakMap<readonly number[], string>();

function blockhashJson({
  blockhash,
  lastValidBlockHeight,
  fetchedAt,
}: BuildResponse['blockhashWithMetadata']): string {
  let numbers = textsOfNumbers.get(blockhash);
  if (numbers === undefined) {
    numbers = JSON.stringify(blockhash);
    textsOfNumbers.set(blockhash, numbers);
  }
  const { secs_since_epoch: secs, nanos_since_epoch: nanos } = fetchedAt;
  return `{"blockhash":${numbers},"lastValidBlockHeight":${lastValidBlockHeight}\
,"fetchedAt":{"secs_since_epoch":${secs},"nanos_since_epoch":${nanos}}}`;
}
