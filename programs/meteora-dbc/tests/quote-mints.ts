import type { Address } from '../../../src/solana/address.ts';
import { type Extension, ExtensionType } from '../../../src/solana/programs/token/extensions.ts';
import { type Token, token, withTransferFee } from '../../raydium-cpmm/tests/fixture.ts';

const METADATA_POINTER: Extension = { type: ExtensionType.METADATA_POINTER, data: new Uint8Array(64) };
const HOOK: Extension = { type: ExtensionType.TRANSFER_HOOK, data: new Uint8Array(64) };

/** Tokens to launch against, with the error of those that the program refuses. */
export const QUOTES: readonly [string, Token, number | null][] = [
  ['of the classic token program', token('dbc classic'), null],
  ['of Token-2022', token('dbc plain 2022', [], true), null],
  ['with metadata', token('dbc metadata', [METADATA_POINTER]), null],
  ['with a transfer fee', token('dbc fee', [withTransferFee({ basisPoints: 1, maximumFee: 1n })]), 6008],
  ['with a hook', token('dbc hook', [HOOK]), 6008],
  [
    'that is the wrapped SOL of Token-2022',
    {
      mint: '9pan9bMn5HatX4EJdBwg9VgCa7Uz5HL8N1m5D3NdXejP' as Address,
      tokenProgram: token('', [], true).tokenProgram,
      decimals: 9,
      extensions: [],
    },
    6028,
  ],
];
