import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { findExportedFunctions, findOfFunctions, findRepeatedTypes } from '../scripts/structure/names.ts';
import { getProductionSources, readSourceTree } from '../scripts/structure/source-tree.ts';

describe('the names in src', () => {
  it('declare each type once, so that a name says what it is without its path', () => {
    expect(findRepeatedTypes(sources, 'all')).toEqual([]);
  });

  it('begin with a verb if they are those of exported functions', () => {
    const others = findExportedFunctions(sources).filter(
      (name) => !VERBS.has(/^[a-z]+/.exec(name)?.[0] ?? ''),
    );
    expect(
      others.filter((name) => !NAMES_OF_THE_FIELD.includes(name) && !PROJECTIONS.includes(name)),
    ).toEqual([]);
  });

  it('end with Of only for projections of one value', () => {
    expect(findOfFunctions(sources)).toEqual([...PROJECTIONS].sort());
  });

  it('have no exception that is gone', () => {
    const exported = new Set(findExportedFunctions(sources));
    expect(NAMES_OF_THE_FIELD.filter((name) => !exported.has(name))).toEqual([]);
  });
});

/** The words with which the name of an exported function may begin. */
const VERBS: ReadonlySet<string> = new Set(
  `
     absorb accept acquire add advance allocate allows analyse answer apply approve arrange assemble
     assert assign authenticate await begin build burn cache call can cancel cap ceil change charge check choose
     claim clone close collate collect commit compare compete compile compose compute convert copy count cover
     covers craft create deactivate decode defer define delay delete deposit derive describe disable
     discard dispatch divide document drive drop dump enable encode end escape estimate evaluate exchange
     execute extend fetch find finish fold follow forget format freeze get give handle harvest has hash
     init initialize insert invite is iterate join keep keeps land leave lends liquidate list listen load
     locate lock look make map matches may measure memoize merge migrate min mint move multiply name
     names note on open operate optimise order overlay pack parse passes pause pays plan point poll post
     predict prepare process put query quote raise ramp rank read recall record recover redact redeem
     refit refresh refuse register release remove rename render renew repeat replace report require reset
     resolve restore resume reverse revoke rotate round route run save seal search select send serialize
     serve set settle sign signs simulate skip sort spend split stake start stop submit subtract sum swap sweep
     sync tag take thaw to transfer try undo unpack unpause unwrap update validate vary verify visit wait
     walk watch withdraw withholds wrap write
    `
    .split(/\s+/)
    .filter((word) => word !== ''),
);

/** Exported functions whose names are the field's own and have no verb. */
const NAMES_OF_THE_FIELD: readonly string[] = [
  'address',
  'addresses',
  'amount',
  'areConsistent',
  'blockCleanedUp',
  'blockNotAvailable',
  'boundConnections',
  'bps',
  'choice',
  'exactOutRoute',
  'exactOutRouteV2',
  'faultCount',
  'faultDelay',
  'faultStatus',
  'feeRate',
  'file',
  'filterRoutes',
  'filterRunnable',
  'flag',
  'flashloanBorrow',
  'flashloanPayback',
  'forExactOut',
  'host',
  'ids',
  'integer',
  'invalidParams',
  'invalidRequest',
  'joinedListText',
  'lamportSupply',
  'loadedAddresses',
  'lowerThreadPriority',
  'maximum',
  'memo',
  'methodNotFound',
  'milliseconds',
  'minimum',
  'minimumBorrowing',
  'named',
  'namedReadonly',
  'namedWritable',
  'noSnapshot',
  'nodeUnhealthy',
  'numericAmount',
  'optional',
  'optionalReadonly',
  'optionalWritable',
  'platforms',
  'port',
  'priorityFeeLamports',
  'readonly',
  'readonlySigner',
  'repeatable',
  'setting',
  'sha256',
  'sharedAccountsExactOutRoute',
  'sharedAccountsExactOutRouteV2',
  'sharedAccountsRoute',
  'sharedAccountsRouteV2',
  'sharedAccountsRouteWithTokenLedger',
  'signatureFailure',
  'slotSkipped',
  'text',
  'textFor',
  'time',
  'timeTravel',
  'totalRate',
  'unsupportedTransactionVersion',
  'valueAsset',
  'valueBorrowLend',
  'valueElement',
  'valueGeneric',
  'valueLeverage',
  'valueToken',
  'valueTokens',
  'valueTrade',
  'venueLabels',
  'wallet',
  'whole',
  'wholeNumber',
  'word',
  'writable',
  'writableSigner',
];

/** Functions that end with `Of`: short projections of the one value that they are given, which never fail. */
const PROJECTIONS: readonly string[] = [
  'actorOf',
  'coefficientOf',
  'epochOf',
  'exponentOf',
  'formOf',
  'hostOf',
  'legOf',
  'messageOf',
  'mintsOf',
  'partyOf',
  'planOf',
  'portOf',
  'setupOf',
  'signersOf',
  'subjectOf',
  'textOf',
  'tokenProgramOf',
];

const sources = getProductionSources(readSourceTree(fileURLToPath(new URL('..', import.meta.url))));
