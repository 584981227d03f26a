/** Folders of the files of launches, as this server serves them. */
const IMAGE_PATH = /^\/(?:images|headers)\/[1-9A-HJ-NP-Za-km-z]{32,44}$/;

/**
 * Finds the path of an image that this server serves itself. Pages load no image of others: their servers would learn who looks.
 *
 * @param url - As a creator, or the interface, has written it.
 * @param origins - The addresses of this server.
 * @returns null if the image is elsewhere
 */
export function findOwnImage(url: string | null, origins: readonly string[]): string | null {
  if (url === null || !URL.canParse(url)) return null;
  const { origin, pathname } = new URL(url);
  const isOwn = origins.some((own) => URL.canParse(own) && new URL(own).origin === origin);
  return isOwn && IMAGE_PATH.test(pathname) ? pathname : null;
}
