import { isIP } from 'node:net';

/**
 * Proxies whose X-Forwarded-For is trusted: addresses or networks (CIDR), or the number of proxies that every request passes. A
 * number cannot distinguish a proxy from a stranger, so it is safe only if this program cannot be reached without the proxies.
 */
export type TrustedProxies = readonly string[] | number;

/** Parses „127.0.0.1, 10.0.0.0/8“ or „2“; undefined for anything else. */
export function readTrustedProxies(text: string): TrustedProxies | undefined {
  if (/^[1-9]\d?$/.test(text.trim())) return Number(text);
  const entries = text.split(',').map((entry) => entry.trim());
  return entries.every(isAddressOrNetwork) ? entries : undefined;
}

function isAddressOrNetwork(entry: string): boolean {
  const [address = '', prefix, ...more] = entry.split('/');
  const version = isIP(address);
  if (version === 0 || more.length > 0) return false;
  // The network of all addresses (/0) would trust everybody.
  return prefix === undefined || (/^[1-9]\d{0,2}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128));
}

/** Returns Fastify's form of the setting. Fastify ignores plain numbers, hence the function: hop 0 is our direct peer. */
export function trustProxyOption(
  proxies: TrustedProxies | undefined,
): false | string[] | ((address: string, hop: number) => boolean) {
  if (proxies === undefined) return false;
  return typeof proxies === 'number' ? (_address, hop) => hop < proxies : [...proxies];
}
