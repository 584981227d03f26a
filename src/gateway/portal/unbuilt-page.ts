/** The style of the page below. Colours and sizes are those of the documentation, which every instance serves. */
export const UNBUILT_STYLE = `body {
  margin: 0;
  background: var(--bg);
  color: var(--text);
  font: var(--size-md) / var(--line-normal) var(--font-sans);
}
main {
  box-sizing: border-box;
  max-width: var(--width-text);
  margin: 0 auto;
  padding: var(--space-7) var(--space-4);
}
h1 {
  margin: 0 0 var(--space-4);
  font-size: var(--size-2xl);
  line-height: var(--line-tight);
}
pre {
  overflow-x: auto;
  margin: var(--space-4) 0;
  padding: var(--space-4);
  border: 1px solid var(--border);
  border-radius: var(--radius-md);
  background: var(--bg-code);
  color: var(--code-text);
  font: var(--size-sm) / var(--line-normal) var(--font-mono);
}
a {
  color: var(--accent);
}
a:hover {
  color: var(--accent-hover);
}
a:focus-visible,
pre:focus-visible {
  outline: var(--focus-ring);
  outline-offset: var(--focus-offset);
}
`;

/** The page that is served in place of the portal while there is no build of it. */
export const UNBUILT_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>The portal is not built · Sluice</title>
<link rel="icon" href="/docs/mark.svg">
<link rel="stylesheet" href="/docs/tokens.css">
<link rel="stylesheet" href="/portal/unbuilt.css">
<script src="/docs/theme.js" defer></script>
</head>
<body>
<main>
<h1>The portal is not built yet</h1>
<p>This instance runs and answers requests. Only the pages of its portal are missing: they are built from the folder
<code>web/</code> of the checkout.</p>
<p>If <code>npm start</code> is building them at this moment, reload this page in half a minute. Otherwise build them in the
folder of the checkout, and reload this page. The instance need not be restarted.</p>
<pre tabindex="0">npm ci --include=dev
npm run build</pre>
<p>Meanwhile, read the <a href="/docs">documentation</a>, or try requests in the <a href="/docs/api">API reference</a>.</p>
</main>
</body>
</html>
`;
