import type { Issue, MarketplaceError } from '#marketplaces/port.ts';

/** What a refused call says, as an issue of the one thing that it asked for. */
export const issueOf = ({ code, message, field }: MarketplaceError): Issue => ({
  code: code ?? 'refused',
  message,
  ...(field === undefined ? {} : { field }),
});
