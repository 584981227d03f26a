import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { PAGE, withTexts } from '../scripts/docs-errors.ts';
import { PRODUCTS } from '../src/app/products.ts';
import { ErrorCode } from '../src/chain/json-rpc/error-codes.ts';
import { Code } from '../src/swaps/orders/execution-result.ts';
import { OrderResponse } from '../src/products/swap/endpoints/order.ts';
import { Refusal } from '../src/products/swap/endpoints/refusal.ts';
import { SNAPSHOT_REFUSALS } from '../src/rfq/makers/snapshot-refusals.ts';

describe('docs/errors.md', () => {
  it('has the texts that stand in the code (npm run docs:errors writes them)', () => {
    expect(page).toBe(withTexts(page));
    expect(matches(page, /<!-- texts: ([\w-]+) -->\n\n```text\n[^`]/g)).toHaveLength(19);
  });

  it('has every status that REST answers with', () => {
    const source = sourceOf('src/gateway', 'src/platform', 'src/products');
    const patterns = [
      /sendGatewayError\(\s*reply,\s*(\d{3})/g,
      /statusCode = (\d{3})/g,
      /^const [A-Z_]+ = (4\d\d);/gm,
      /^ {2}'[\w-]+': (4\d\d),/gm,
      /\bstatus: (\d{3})/g,
      /return (4\d\d);/g,
      /\bCLIENT_CLOSED_REQUEST = (\d{3})/g,
    ];
    const answered = distinct(patterns.flatMap((pattern) => matches(source, pattern)));
    expect(answered.length).toBeGreaterThan(10);
    expect(listed('REST: statuses')).toEqual(expect.arrayContaining(answered));
  });

  it('has no section about requests of which no product says that it is its own', () => {
    const declared = PRODUCTS.flatMap(({ errorSections = [] }) =>
      errorSections.map(({ heading }) => heading),
    );
    const headings = matches(page, /^## ([^:\n]+)/gm);
    expect(declared.filter((heading) => !headings.includes(heading))).toEqual([]);
    const others = ['Find the cause', 'REST', 'Makers', 'Embedded network', 'Admin port'];
    expect(distinct(headings).sort()).toEqual([...declared, ...others].sort());
  });

  it('has every code of executions', () => {
    const codes = Object.values(Code).map(String);
    expect(listed('Execute: `code`').filter((code) => code !== 'above 0')).toEqual(codes);
  });

  it('has every code of orders', () => {
    const description = descriptionOf(OrderResponse.properties.errorCode);
    expect(listed('Order: `errorCode` of 200')).toEqual(matches(description, /(\d+): /g));
  });

  it('has every word of refused swaps', () => {
    const description = descriptionOf(Refusal.properties.errorCode);
    expect(listed('Swap: `errorCode` of 400')).toEqual(matches(description, /`(\w+)`/g));
  });

  it('has every word of simulations of swap v1', () => {
    const words = matches(sourceOf('src/products/swap/endpoints/v1'), /errorCode: '(\w+)'/g);
    expect(listed('Swap v1')).toEqual(distinct(words));
  });

  it('has every status of gRPC', () => {
    const source = sourceOf('src/gateway/grpc', 'src/rfq/streams');
    const statuses = [
      ...matches(source, /\bstatus\.([A-Z_]{4,})/g),
      ...matches(source, /^ {2}\| '([A-Z_]{4,})'/gm),
    ];
    expect(distinct(listed('Makers: gRPC statuses'))).toEqual(distinct(statuses));
  });

  it('has every word of refused snapshots, in the order in which they are checked', () => {
    expect(listed('Makers: refused snapshots')).toEqual(SNAPSHOT_REFUSALS);
  });

  it('has every code of the RPC of the embedded network', () => {
    expect(listed('Embedded network: RPC codes')).toEqual(Object.values(ErrorCode).map(String));
  });
});

const root = new URL('../', import.meta.url);
const page = readFileSync(PAGE, 'utf8');

/** The first cells of the table of a section. */
function listed(heading: string): readonly string[] {
  const section = page.split(/^## /m).find((each) => each.startsWith(`${heading}\n`)) ?? '';
  const [, ...rows] = section.split('\n').filter((line) => line.startsWith('| '));
  return rows.map((row) => row.slice(2).split(' | ')[0]?.replaceAll('`', '') ?? '');
}

function sourceOf(...folders: readonly string[]): string {
  const files = folders.flatMap((folder) =>
    readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' }).map(
      (file) => `${folder}/${file}`,
    ),
  );
  return files
    .filter((file) => file.endsWith('.ts') && !/\.test\.ts$|^src\/testing\/|generated/.test(file))
    .map((file) => readFileSync(new URL(file, root), 'utf8'))
    .join('\n');
}

const descriptionOf = (schema: object) => ('description' in schema ? String(schema.description) : '');
const distinct = (values: readonly unknown[]) => [...new Set(values.map(String))].sort();
const matches = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found]) => found);
