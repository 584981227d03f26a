/** Has the browser save content as a file, as if its reader had pressed a link to it. */
export function saveFile(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has taken hold of the content when the click has been handled.
  setTimeout(() => URL.revokeObjectURL(url), 0);
}
