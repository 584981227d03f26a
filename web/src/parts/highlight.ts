import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import json from 'highlight.js/lib/languages/json';
import python from 'highlight.js/lib/languages/python';
import typescript from 'highlight.js/lib/languages/typescript';

export type CodeLanguage = 'bash' | 'json' | 'python' | 'typescript' | 'text';

/** A piece of code that has one colour. */
export interface CodeToken {
  readonly text: string;
  /** The kind of the grammar, such as `string`; null: plain text. */
  readonly kind: string | null;
}

/** Longer texts are shown without colours, which would take a second to find and half a million elements to show. */
const MAX_LENGTH = 60_000;

hljs.registerLanguage('bash', bash);
hljs.registerLanguage('json', json);
hljs.registerLanguage('python', python);
hljs.registerLanguage('typescript', typescript);

interface EmittedNode {
  readonly scope?: string;
  readonly children: readonly (string | EmittedNode)[];
}

/** Divides code into pieces of one colour. Their texts together are the code. */
export function highlightCode(code: string, language: CodeLanguage): readonly CodeToken[] {
  if (language === 'text' || code.length > MAX_LENGTH) return [{ text: code, kind: null }];
  // The tree of the result has the pieces themselves. Its HTML would have to be put into the page unescaped.
  const { _emitter } = hljs.highlight(code, { language, ignoreIllegals: true }) as unknown as {
    readonly _emitter: { readonly rootNode: EmittedNode };
  };
  return flattenNode(_emitter.rootNode, null);
}

function flattenNode({ scope, children }: EmittedNode, outer: string | null): readonly CodeToken[] {
  const kind = scope === undefined ? outer : (/^[a-z]+/.exec(scope)?.[0] ?? outer);
  return children.flatMap((child) =>
    typeof child === 'string' ? [{ text: child, kind }] : flattenNode(child, kind),
  );
}
