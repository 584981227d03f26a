import type { Address } from '../solana/address.ts';
import { BoundedCache } from '../solana/bounded-cache.ts';
import { type AccountMeta, type Instruction, isSigner, isWritable } from '../solana/instruction.ts';
import { answerMemory } from './answer-memory.ts';
import type { BuiltSwap } from './build.ts';
import { dataText } from './instruction-json.ts';

/**
 * The answer as JSON, the same that `JSON.stringify` makes of a `BuildResponse`. All of it is ASCII. Most of it is what
 * hardly ever changes, the contents of lookup tables and what is said of an account: these pieces are kept.
 */
export function buildJson(built: BuiltSwap): Buffer {
  const pieces: Piece[] = [headJson(built)];
  addTables(pieces, built.addressesByLookupTableAddress);
  pieces.push(`,"blockhashWithMetadata":${JSON.stringify(built.blockhashWithMetadata)}}`);
  let size = 0;
  for (const piece of pieces) size += piece.length;
  const json = answerMemory(size);
  let at = 0;
  for (const piece of pieces) {
    if (typeof piece === 'string') json.write(piece, at, 'latin1');
    else json.set(piece, at);
    at += piece.length;
  }
  return json;
}

/** Text, or text that is kept as bytes because it is long. */
type Piece = string | Buffer;

function headJson(built: BuiltSwap): string {
  return `{"inputMint":"${built.inputMint}","outputMint":"${built.outputMint}","inAmount":"${built.inAmount}"\
,"outAmount":"${built.outAmount}","otherAmountThreshold":"${built.otherAmountThreshold}"\
,"swapMode":"${built.swapMode}","slippageBps":${built.slippageBps},"priceImpactPct":"${built.priceImpactPct}"\
,"routePlan":${JSON.stringify(built.routePlan)}\
,"computeBudgetInstructions":${listJson(built.computeBudgetInstructions)}\
,"setupInstructions":${listJson(built.setupInstructions)},"swapInstruction":${instructionJson(built.swapInstruction)}\
,"cleanupInstruction":${instructionJson(built.cleanupInstruction)}\
,"otherInstructions":${listJson(built.otherInstructions)},"tipInstruction":${instructionJson(built.tipInstruction)}\
,"addressesByLookupTableAddress":`;
}

function listJson(instructions: readonly Instruction[]): string {
  return `[${instructions.map(instructionJson).join()}]`;
}

function instructionJson(instruction: Instruction | null): string {
  if (instruction === null) return 'null';
  const { programAddress, accounts, data } = instruction;
  let text = `{"programId":"${programAddress}","accounts":[`;
  for (let at = 0; at < accounts.length; at++) {
    if (at > 0) text += ',';
    text += accountJson(accounts[at] as AccountMeta);
  }
  return `${text}],"data":"${dataText(data)}"}`;
}

/** By address, at the place of the role; more than the accounts of the busy pools. */
const textsOfAccounts = new BoundedCache<Address, string[]>(1 << 13);

function accountJson({ address, role }: AccountMeta): string {
  let texts = textsOfAccounts.get(address);
  if (texts === undefined) {
    texts = [];
    textsOfAccounts.set(address, texts);
  }
  let text = texts[role];
  if (text === undefined) {
    text = JSON.stringify({ pubkey: address, isWritable: isWritable(role), isSigner: isSigner(role) });
    texts[role] = text;
  }
  return text;
}

/** By the list of a table's addresses, which is another one whenever the table changes. */
const jsonOfAddresses = new WeakMap<readonly string[], Buffer>();

function addTables(pieces: Piece[], tables: BuiltSwap['addressesByLookupTableAddress']): void {
  if (tables === null) {
    pieces.push('null');
    return;
  }
  let separator = '{';
  for (const table in tables) {
    pieces.push(`${separator}"${table}":`, addressesJson(tables[table] ?? []));
    separator = ',';
  }
  pieces.push(separator === '{' ? '{}' : '}');
}

function addressesJson(addresses: readonly string[]): Buffer {
  let json = jsonOfAddresses.get(addresses);
  if (json === undefined) {
    json = Buffer.from(JSON.stringify(addresses));
    jsonOfAddresses.set(addresses, json);
  }
  return json;
}
