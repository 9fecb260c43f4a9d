import { createContext } from 'react';

/** The page's nonce while the server renders; undefined in the browser, whose pages do not show it as an attribute. */
export const NonceContext = createContext<string | undefined>(undefined);

/**
 * For style elements that are made in the browser: the policy of a page (platform/http/pages.ts) lets no other ones in. It holds as long as the
 * page is loaded. Empty on the server.
 */
export const browserNonce = (): string =>
  typeof document === 'undefined' ? '' : (document.querySelector('script')?.nonce ?? '');
