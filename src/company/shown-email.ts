import { domainToUnicode } from 'node:url';

/** Returns a stored address as people write it: jo@xn--mller-kva.de is jo@müller.de. */
export function shownEmail(address: string): string {
  const at = address.lastIndexOf('@') + 1;
  return address.slice(0, at) + (domainToUnicode(address.slice(at)) || address.slice(at));
}
