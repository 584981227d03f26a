import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import { BASELINE } from './baseline.ts';
import { measureExecutedFiles } from './executed-files.ts';
import { describeExecution, measureSource } from './measures.ts';
import { getProductionSources, readSourceTree } from './source-tree.ts';
import { renderMeasures } from './table.ts';

/**
 * `npm run structure [-- --root DIR] [--without-order] [--list ID ...]`: prints counts about the structure of the code beside
 * those of an earlier commit. `--without-order` leaves out the order, which takes some seconds; `--list` lists what was
 * counted, such as `--list venues`.
 */
const { values } = parseArgs({
  options: {
    root: { type: 'string', default: fileURLToPath(new URL('../..', import.meta.url)) },
    'without-order': { type: 'boolean', default: false },
    list: { type: 'string', multiple: true, default: [] },
  },
});
const tree = readSourceTree(values.root);
const ofSource = measureSource(tree);
const ids = [...ofSource, describeExecution(null)].map(({ id }) => id);
const unknown = values.list.find((id) => !ids.includes(id));
if (unknown === undefined) {
  const isWithOrder = !values['without-order'];
  const executed = isWithOrder ? await measureExecutedFiles(values.root, getProductionSources(tree)) : null;
  const measures = [...ofSource, describeExecution(executed)];
  process.stdout.write(renderMeasures(measures, BASELINE, values.list));
} else {
  process.stderr.write(`there is no list ${JSON.stringify(unknown)}; there are: ${ids.join(', ')}\n`);
  process.exitCode = 2;
}
