import type { ExecutedFiles } from './executed-files.ts';
import { readImportGraph } from './import-graph.ts';
import { findFolderPairs, findValueCycles } from './mutual-imports.ts';
import { findOfFunctions, findRepeatedTypes } from './names.ts';
import { measureProducts } from './products.ts';
import { findErrorClasses, findReasonsAsText } from './refusals.ts';
import { getProductionSources, type SourceTree } from './source-tree.ts';
import { computeMedianOpening, findTestOpenings } from './test-openings.ts';
import { findSharedFiles, findVenues } from './venues.ts';

/** A line of the table. */
export interface Count {
  /** The same at every commit, because it finds the earlier figure. */
  readonly name: string;
  readonly value: string;
  /** What was counted, for `--list`. */
  readonly items: readonly string[];
}

/** Counts of one kind. */
export interface Measure {
  /** The name by which `--list` chooses it. */
  readonly id: string;
  /** Says what is counted. */
  readonly sentence: string;
  readonly counts: readonly Count[];
}

/** Measures what can be read in the source. */
export function measureSource(tree: SourceTree): readonly Measure[] {
  const sources = getProductionSources(tree);
  const graph = readImportGraph(sources);
  return [
    {
      id: 'pairs',
      sentence:
        'Pairs of folders of src/ of which each has a file that imports a file of the other. Imports of types count, and a file belongs to the folder that holds it.',
      counts: [createCount('pairs of folders that import each other', findFolderPairs(graph))],
    },
    {
      id: 'cycles',
      sentence:
        'Groups of files of src/ that all import values from each other, directly or through others. Imports of types do not count.',
      counts: [createCount('cycles of files by imports of values', findValueCycles(graph))],
    },
    {
      id: 'venues',
      sentence:
        "Files outside a venue's folder and its crates that name it: they contain its label or the name of its folder in any spelling, or import a file of the folder. Comments, tests, benches, documents and generated files do not count. A commit that adds a venue touches more files, because it also brings tests and documents.",
      counts: findVenues(sources).map((venue) =>
        createCount(`shared files that name ${venue.label}`, findSharedFiles(tree, venue)),
      ),
    },
    {
      id: 'products',
      sentence: 'Files of each folder of src/products, and their lines.',
      counts: measureProducts(sources).map(({ product, files, lines }) => ({
        name: `product ${product}`,
        value: `${formatNumber(files.length)} files, ${formatNumber(lines)} lines`,
        items: files,
      })),
    },
    {
      id: 'types',
      sentence:
        'Names of interfaces, types, classes and enums that more than one file of src/ declares. Re-exports are not declarations.',
      counts: [
        createCount('exported type names declared in several files', findRepeatedTypes(sources, 'exported')),
        createCount('type names declared in several files', findRepeatedTypes(sources, 'all')),
      ],
    },
    {
      id: 'functions',
      sentence:
        'Distinct names of functions of src/ that are declared with the word "function" and end with "Of", exported or not.',
      counts: [createCount('functions whose name ends with Of', findOfFunctions(sources))],
    },
    {
      id: 'errors',
      sentence: 'Classes of src/ that extend Error, another built-in error, or another class that does.',
      counts: [createCount('classes of errors', findErrorClasses(sources))],
    },
    {
      id: 'reasons',
      sentence:
        'Functions and methods of src/ that declare "string | null" as their result, now or in a promise, and give a reason of failure by it: their name says so, or their code contains a text of several words that it does not throw, or calls another function that counts, or a method of their name in the same room does. Some only format what is shown.',
      counts: [createCount('functions that give a reason as text or null', findReasonsAsText(sources))],
    },
    describeOpenings(tree),
  ];
}

/** Describes what stands above the first test of a file. */
function describeOpenings(tree: SourceTree): Measure {
  const openings = findTestOpenings(tree);
  return {
    id: 'openings',
    sentence:
      'Lines above the first "it" or "test" of the median test file, imports included. At least half of the files have no more.',
    counts: [
      {
        name: 'lines before the first test, median',
        value: formatNumber(computeMedianOpening(openings)),
        items: openings.map(({ path, lines }) => `${formatNumber(lines)} ${path}`),
      },
    ],
  };
}

/** Describes the files that an order executes. If they were not measured, `files` is null. */
export function describeExecution(files: ExecutedFiles | null): Measure {
  const createRow = (name: string, items: readonly string[] | undefined) =>
    items === undefined ? { name, value: 'not measured', items: [] } : createCount(name, items);
  return {
    id: 'order',
    sentence:
      'Files of src/ in which every one of nine warm orders with a taker calls a function, by precise coverage of the main thread. "Called by an order" leaves out HTTP and the embedded network; "by a request" is GET /swap/v2/order in a whole instance, from the request to its answer. Makers take no part.',
    counts: [
      createRow('files called by an order', files?.byOrder),
      createRow('files called by a request for an order', files?.byRequest),
    ],
  };
}

function createCount(name: string, items: readonly string[]): Count {
  return { name, value: formatNumber(items.length), items };
}

function formatNumber(value: number): string {
  return value.toLocaleString('en-US');
}
