import { browserNonce } from '#client/ui/nonce.ts';

declare global {
  // oxlint-disable-next-line no-var -- only var declares a property of the global object
  var __webpack_nonce__: string | undefined;
}

/**
 * Publishes the nonce for the library that Mantine's dialogs use: it stops the page from scrolling by a
 * style element, and reads the nonce here.
 */
export function allowStyles(): void {
  globalThis.__webpack_nonce__ = browserNonce();
}
