import { browserNonce } from '#client/ui/nonce.ts';

declare global {
  // oxlint-disable-next-line no-var -- what is declared so is a property of the global object
  var __webpack_nonce__: string | undefined;
}

/** Dialogs stop the page behind them from scrolling by a style element of a library of Mantine's, which looks for the nonce here. */
export function allowStyles(): void {
  globalThis.__webpack_nonce__ = browserNonce();
}
