import type { BuildResponse, InstructionJson } from './schema.ts';

/** By the list of a table's addresses, which is another one whenever the table changes. */
const bytesOfAddresses = new WeakMap<readonly string[], Buffer>();
const NO_TABLES = Buffer.from('null');
const [OPEN, CLOSE] = [Buffer.from('{'), Buffer.from('}')];

/**
 * The answer as the bytes of its JSON. Most of it is what needs no escaping: addresses and base64. The contents of
 * lookup tables hardly ever change, and their bytes are kept.
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
}: BuildResponse): Buffer {
  const begin = `${JSON.stringify(rest).slice(0, -1)},"computeBudgetInstructions":${listJson(computeBudgetInstructions)}\
,"setupInstructions":${listJson(setupInstructions)},"swapInstruction":${instructionJson(swapInstruction)}\
,"cleanupInstruction":${instructionJson(cleanupInstruction)},"otherInstructions":${listJson(otherInstructions)}\
,"tipInstruction":${instructionJson(tipInstruction)},"addressesByLookupTableAddress":`;
  return Buffer.concat([Buffer.from(begin), ...tablesJson(addressesByLookupTableAddress), CLOSE]);
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

function tablesJson(tables: BuildResponse['addressesByLookupTableAddress']): readonly Buffer[] {
  if (tables === null) return [NO_TABLES];
  const members = Object.entries(tables).flatMap(([table, addresses], index) => [
    Buffer.from(`${index === 0 ? '' : ','}"${table}":`),
    addressesJson(addresses),
  ]);
  return [OPEN, ...members, CLOSE];
}

function addressesJson(addresses: readonly string[]): Buffer {
  let bytes = bytesOfAddresses.get(addresses);
  if (bytes === undefined) {
    bytes = Buffer.from(JSON.stringify(addresses));
    bytesOfAddresses.set(addresses, bytes);
  }
  return bytes;
}
