import type { Bench } from './row.ts';

/** Runs the bench of that name, in a process of its own, for the process that forked it. */
const [, , name] = process.argv;
const bench: Bench = await import(`./${name}.bench.ts`);
const rows = await bench.run();
process.send?.({ title: bench.title, rows }, () => process.exit(0));
