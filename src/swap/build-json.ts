import type { BuildResponse, InstructionJson } from './schema.ts';

/** By the list of a table's addresses, which is another one whenever the table changes. */
const textOfAddresses = new WeakMap<readonly string[], string>();

/**
 * The answer as JSON. Most of it is what needs no escaping: addresses and base64. The contents of lookup tables hardly
 * ever change, and their text is kept.
 */
export function buildJson({
  computeBudgetInstructions,
  setupInstructions,
  swapInstruction,
  cleanupInstruction,
  otherInstructions,
  tipInstruction,
  addressesByLookupTableAddress,
  ...rest
}: BuildResponse): string {
  return `${JSON.stringify(rest).slice(0, -1)},"computeBudgetInstructions":${listJson(computeBudgetInstructions)}\
,"setupInstructions":${listJson(setupInstructions)},"swapInstruction":${instructionJson(swapInstruction)}\
,"cleanupInstruction":${instructionJson(cleanupInstruction)},"otherInstructions":${listJson(otherInstructions)}\
,"tipInstruction":${instructionJson(tipInstruction)},"addressesByLookupTableAddress":${tablesJson(addressesByLookupTableAddress)}}`;
}

function listJson(instructions: readonly InstructionJson[]): string {
  return `[${instructions.map(instructionJson).join()}]`;
}

function instructionJson(instruction: InstructionJson | null): string {
  if (instruction === null) return 'null';
  let accounts = '';
  for (const { pubkey, isWritable, isSigner } of instruction.accounts) {
    accounts += `${accounts === '' ? '' : ','}{"pubkey":"${pubkey}","isWritable":${isWritable},"isSigner":${isSigner}}`;
  }
  return `{"programId":"${instruction.programId}","accounts":[${accounts}],"data":"${instruction.data}"}`;
}

function tablesJson(tables: BuildResponse['addressesByLookupTableAddress']): string {
  if (tables === null) return 'null';
  const texts = Object.entries(tables).map(([table, addresses]) => `"${table}":${addressesJson(addresses)}`);
  return `{${texts.join()}}`;
}

function addressesJson(addresses: readonly string[]): string {
  let text = textOfAddresses.get(addresses);
  if (text === undefined) {
    text = JSON.stringify(addresses);
    textOfAddresses.set(addresses, text);
  }
  return text;
}
