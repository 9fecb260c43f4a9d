import { createContext } from 'react';

/** The page's nonce while the server renders; undefined in the browser, which hides the attribute. */
export const NonceContext = createContext<string | undefined>(undefined);

/**
 * Returns the nonce for style elements made in the browser: the page's policy (platform/http/pages.ts) allows no others. Valid as
 * long as the page is loaded. Empty on the server.
 */
export const browserNonce = (): string =>
  typeof document === 'undefined' ? '' : (document.querySelector('script')?.nonce ?? '');
