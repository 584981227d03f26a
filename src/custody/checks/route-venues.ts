import { type Address, address } from '../../solana/address.ts';
import type { ByteReader } from '../../solana/codec/byte-reader.ts';

/** How many accounts follow those that a venue always has. */
export type StepTail =
  /** None. */
  | 'none'
  /** As many as the slices in the step's fields count. */
  | 'slices'
  /** All up to the address of the aggregator, which ends them. */
  | 'until-end';

/** The accounts of a step, after the venue's program. */
export interface StepLayout {
  readonly program: Address;
  /** The accounts that every step of the kind has. */
  readonly count: number;
  /** The places of the token accounts that the step takes from and pays into. */
  readonly input: number;
  readonly output: number;
  readonly tail: StepTail;
}

/** The fields of a step as far as its layout depends on them. */
export interface StepFields {
  readonly flag: boolean;
  /** Accounts that the slices count; 0 without slices. */
  readonly sliced: number;
}

/** Reads the fields of a step, after the tag of its kind. */
type ReadFields = (reader: ByteReader) => StepFields;

interface StepKind extends StepLayout {
  readonly fields: ReadFields;
  /** Whether the flag exchanges input and output. */
  readonly swapsOnFlag?: true;
}

const NO_FIELDS: StepFields = { flag: false, sliced: 0 };
const none: ReadFields = () => NO_FIELDS;
const flag: ReadFields = (reader) => ({ flag: reader.bool(), sliced: 0 });
const skipped =
  (bytes: number): ReadFields =>
  (reader) => {
    reader.skip(bytes);
    return NO_FIELDS;
  };
const sliced: ReadFields = (reader) => ({ flag: false, sliced: readSlices(reader) });
const flagAndMaybeSliced: ReadFields = (reader) => ({
  flag: reader.bool(),
  sliced: reader.bool() ? readSlices(reader) : 0,
});

function readSlices(reader: ByteReader): number {
  const count = reader.u32();
  let accounts = 0;
  for (let read = 0; read < count; read++) {
    reader.u8();
    accounts += reader.u8();
  }
  return accounts;
}

const WHIRLPOOL = address('whirLbMiicVdio4qvUfM5KAg6Ct8VwpYzGff3uctyCc');
const RAYDIUM_AMM = address('675kPX9MHTjS2zt1qfr1NYHuzeLXfQM9H24wFSUt1Mp8');
const RAYDIUM_CLMM = address('CAMMCzo5YL8w4VFF8KVHrK22GGUsp5VTaW7grrKgrWqK');
const RAYDIUM_CPMM = address('CPMMoo8L3F4NbTegBCKVNunggL7H1ZpdTHKxQB5qKP1C');
const METEORA_DLMM = address('LBUZKhRxPF3XUpBCjp4YzTKgLccjZhTSDM9YuVaPwxo');
const METEORA_DAMM_V2 = address('cpamdpZCGKUy5JxQXB4dcpGPiikHawvSWAd6mEn1sGG');
const STABBLE = address('swapNyd8XiQwJ6ianp9snpu4brUqFxadzvHebnAXjJZ');
const STAKEDEX = address('stkitrT1Uoy18Dk1fTrgPw8W6MVzoCfYoAFT4MLsmhq');
const LEND = address('jup3YeL8QhtSx1e253b2FDvsMNC87fDrgQZivbrndc9');
const SABER = address('SSwpkEEcbUqx4vtoEByFjSkhKdCT862DNVb52nZg1UZ');
const TOKEN_SWAP = address('SwaPpA9LAaLfeLi3a68M4DjnLqgtticKg6CnyNwgAC8');
const SANCTUM = address('5ocnV1qiCgaQR8Jb8xWnVbApfaygJ8tNoZfgPwsgx9kx');
const MANIFEST = address('MNFSTqtC93rEfYHB6hF82sKdZpUDFWkViLByLd1k1Ms');

/**
 * The kinds of steps that a fill may have, by their tags in the aggregator's interface. Makers' fills are not among them: they
 * need the signature of the maker too.
 */
const KINDS: ReadonlyMap<number, StepKind> = new Map<number, StepKind>([
  [0, { program: SABER, fields: none, count: 9, input: 4, output: 6, tail: 'none' }],
  [3, { program: TOKEN_SWAP, fields: none, count: 10, input: 4, output: 7, tail: 'none' }],
  [7, { program: RAYDIUM_AMM, fields: none, count: 17, input: 14, output: 15, tail: 'none' }],
  [17, { program: WHIRLPOOL, fields: flag, count: 11, input: 5, output: 3, swapsOnFlag: true, tail: 'none' }],
  [26, { program: RAYDIUM_CLMM, fields: none, count: 10, input: 3, output: 4, tail: 'until-end' }],
  [32, { program: STAKEDEX, fields: none, count: 10, input: 1, output: 2, tail: 'until-end' }],
  [38, { program: METEORA_DLMM, fields: none, count: 15, input: 4, output: 5, tail: 'until-end' }],
  [40, { program: RAYDIUM_CLMM, fields: none, count: 13, input: 3, output: 4, tail: 'until-end' }],
  [43, { program: SANCTUM, fields: skipped(10), count: 12, input: 3, output: 4, tail: 'until-end' }],
  [46, { program: RAYDIUM_CPMM, fields: none, count: 13, input: 4, output: 5, tail: 'none' }],
  [
    47,
    {
      program: WHIRLPOOL,
      fields: flagAndMaybeSliced,
      count: 15,
      input: 9,
      output: 7,
      swapsOnFlag: true,
      tail: 'slices',
    },
  ],
  [56, { program: STABBLE, fields: none, count: 12, input: 1, output: 2, tail: 'none' }],
  [68, { program: STAKEDEX, fields: none, count: 7, input: 1, output: 2, tail: 'until-end' }],
  [75, { program: METEORA_DLMM, fields: sliced, count: 16, input: 4, output: 5, tail: 'until-end' }],
  [77, { program: METEORA_DAMM_V2, fields: none, count: 14, input: 2, output: 3, tail: 'none' }],
  [79, { program: STABBLE, fields: none, count: 15, input: 3, output: 4, tail: 'none' }],
  [101, { program: LEND, fields: none, count: 17, input: 1, output: 2, tail: 'none' }],
  [102, { program: LEND, fields: none, count: 18, input: 1, output: 2, tail: 'none' }],
  [105, { program: RAYDIUM_AMM, fields: none, count: 8, input: 5, output: 6, tail: 'none' }],
  [108, { program: METEORA_DAMM_V2, fields: none, count: 14, input: 2, output: 3, tail: 'until-end' }],
  [116, { program: MANIFEST, fields: flag, count: 14, input: 5, output: 4, swapsOnFlag: true, tail: 'none' }],
]);

/**
 * Reads the kind of a step and its fields.
 *
 * @param reader - Stands at the tag of the kind.
 * @throws LayoutInvalid for a kind that no fill may have
 */
export function readStepLayout(reader: ByteReader): StepLayout & StepFields {
  const tag = reader.u8();
  const kind = KINDS.get(tag);
  if (kind === undefined) return reader.fail(`steps of the kind ${tag} are not signed for`);
  const { program, count, tail } = kind;
  const fields = kind.fields(reader);
  const isSwapped = kind.swapsOnFlag === true && fields.flag;
  return {
    ...fields,
    program,
    count,
    tail,
    input: isSwapped ? kind.output : kind.input,
    output: isSwapped ? kind.input : kind.output,
  };
}
