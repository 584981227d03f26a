import type { ExampleRequest, ProductDescription } from './product.ts';

/** A request that can be sent as it is. */
export type CompleteRequest = Pick<ExampleRequest, 'title' | 'path' | 'query'>;

type ExampleSource = Pick<ProductDescription, 'examples'>;

/**
 * @param wallet - The address of the demo wallet; null where there is none.
 * @returns the first example of all products that can be sent here; null when there is none
 */
export function findFirstExample(
  products: readonly ExampleSource[],
  wallet: string | null,
): CompleteRequest | null {
  const [example] = completeExamples(products, wallet);
  return example ?? null;
}

/**
 * @param wallet - The address of the demo wallet; null where there is none.
 * @returns what the forms of the documentation are filled in with: values by the names of parameters. Of two examples
 * with the same parameter, the first one counts.
 */
export function collectFormValues(
  products: readonly ExampleSource[],
  wallet: string | null,
): Readonly<Record<string, string>> {
  const queries = completeExamples(products, wallet).map(({ query }) => query);
  return Object.assign({}, ...queries.reverse()) as Record<string, string>;
}

function completeExamples(products: readonly ExampleSource[], wallet: string | null): CompleteRequest[] {
  return products
    .flatMap(({ examples = [] }) => examples)
    .flatMap(({ title, path, query, walletParameter }) => {
      if (walletParameter === undefined) return [{ title, path, query }];
      return wallet === null ? [] : [{ title, path, query: { ...query, [walletParameter]: wallet } }];
    });
}
