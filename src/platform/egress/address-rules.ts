import ipaddr from 'ipaddr.js';
import { KontorError } from '#platform/errors.ts';

/** Allowed ports of http and https addresses. */
export const allowedPorts = new Set(['', '80', '443']);
/** Allowed ports of file and mail servers; other ports would make this program a scanner of other people's networks. */
export const serverPorts = {
  upload: new Set([21, 22, 990, 2021, 2022, 2121, 2222, 8021, 8022, 10_021, 10_022]),
  mail: new Set([25, 465, 587, 2525]),
} as const;
/** Azure's platform address answers metadata requests although it looks public. */
const metadataAddresses = new Set(['168.63.129.16']);
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/** The same German text for every refused address, so that error messages reveal nothing about internal networks (T3). */
export const refused = (cause?: unknown) =>
  new KontorError(
    422,
    'address_refused',
    'Diese Adresse ist nicht erlaubt oder nicht erreichbar. Erlaubt sind öffentliche http- und https-Adressen.',
    { cause },
  );

/**
 * Why no connection is made. Port and address are judged on their own; an unknown name and a name of an internal network have
 * the same reason, so that nobody learns which internal names exist (T3).
 */
export class PlaceRefused extends Error {
  readonly reason: 'port' | 'address' | 'name';

  constructor(reason: PlaceRefused['reason'], cause?: unknown) {
    super(`the ${reason} is refused`, { cause });
    this.reason = reason;
  }
}

/** Whether an address is public; with `allowLoopback` also this machine. */
export function allowedAddress(address: string, allowLoopback: boolean): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (allowLoopback && parsed.range() === 'loopback') return true;
  return parsed.range() === 'unicast' && inGlobalUse(parsed) && !metadataAddresses.has(parsed.toString());
}

/** Of IPv6 only 2000::/3 is assigned; other ranges may lead to internal IPv4 addresses, like `::127.0.0.1`. */
function inGlobalUse(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  return !('parts' in address) || address.match(globalUnicast);
}

/** Whether secrets may be sent to an address: encrypted or this machine, and without a user part that poses as a host. */
export function isSecureAddress(address: string): boolean {
  const url = URL.parse(address);
  if (url === null || url.username !== '' || url.password !== '') return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && ['127.0.0.1', 'localhost'].includes(url.hostname));
}
