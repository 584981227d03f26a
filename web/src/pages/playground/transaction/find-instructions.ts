/** An instruction, as answers write it. */
export interface AnswerInstruction {
  readonly programId: string;
  readonly accounts: readonly {
    readonly pubkey: string;
    readonly isSigner: boolean;
    readonly isWritable: boolean;
  }[];
  /** Base64. */
  readonly data: string;
}

/** What an answer gives to build a transaction from. */
export interface InstructionSet {
  /** In the order in which they run. */
  readonly instructions: readonly AnswerInstruction[];
  /** The contents of lookup tables, as far as the answer has them. */
  readonly lookupTables: ReadonlyMap<string, readonly string[]>;
  /** Lookup tables whose contents have to be read. */
  readonly lookupTableAddresses: readonly string[];
  /** The bytes of a blockhash; null if the answer has none. */
  readonly blockhash: readonly number[] | null;
  /** The account that pays the fee: the first that signs and is written to. */
  readonly payer: string;
}

/** The members of answers that hold instructions, in the order in which they run. */
const MEMBERS = [
  'tokenLedgerInstruction',
  'computeBudgetInstructions',
  'otherInstructions',
  'setupInstructions',
  'instructions',
  'swapInstruction',
  'cleanupInstruction',
  'tipInstruction',
] as const;

/** Finds the instructions of an answer; null if it has none. */
export function findInstructions(json: unknown): InstructionSet | null {
  if (!isRecord(json)) return null;
  const members = MEMBERS.flatMap((name) => (Object.hasOwn(json, name) ? [json[name]] : []));
  const instructions = members.flat().filter(isInstruction);
  const payer = instructions
    .flatMap(({ accounts }) => accounts)
    .find(({ isSigner, isWritable }) => isSigner && isWritable)?.pubkey;
  if (payer === undefined) return null;
  const { addressesByLookupTableAddress: tables, addressLookupTableAddresses: addresses } = json;
  const { blockhash } = isRecord(json.blockhashWithMetadata) ? json.blockhashWithMetadata : {};
  return {
    instructions,
    lookupTables: new Map(
      isRecord(tables) ? Object.entries(tables).map(([table, content]) => [table, listTexts(content)]) : [],
    ),
    lookupTableAddresses: listTexts(addresses),
    blockhash: isBlockhash(blockhash) ? blockhash : null,
    payer,
  };
}

function isInstruction(value: unknown): value is AnswerInstruction {
  if (!isRecord(value)) return false;
  const { programId, accounts, data } = value;
  return (
    typeof programId === 'string' &&
    typeof data === 'string' &&
    Array.isArray(accounts) &&
    accounts.every((account) => isRecord(account) && typeof account.pubkey === 'string')
  );
}

function isBlockhash(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.length === 32 && value.every((byte) => Number.isInteger(byte));
}

function listTexts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((text) => typeof text === 'string') : [];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
