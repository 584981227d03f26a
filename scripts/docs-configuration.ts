import { writeFileSync } from 'node:fs';
import { renderMarkdown } from '../src/config/render.ts';

/** `npm run docs:configuration` */
writeFileSync(new URL('../docs/configuration.md', import.meta.url), renderMarkdown());
