import type { Issue, MarketplaceError } from '#marketplaces/port.ts';

/** Returns the error of a refused call as an issue of the one item that the call was about. */
export const issueOf = ({ code, message, field }: MarketplaceError): Issue => ({
  code: code ?? 'refused',
  message,
  ...(field === undefined ? {} : { field }),
});
