import { timingSafeEqual } from 'node:crypto';
import { MAX_PICTURE_ADDRESS, type PictureMarks } from '#shared/items/schema.ts';
import type { Vault } from '#platform/crypto/vault.ts';

/** No other mark's text may start like this. */
const textOf = (address: string): string => `picture ${address}`;

/**
 * Returns marks for picture addresses in the company's data. A mark proves that this server issued it for this company, so that
 * the picture endpoint cannot be used for other addresses. Texts that are no http address get none.
 */
export function pictureMarks(vault: Vault, company: string, addresses: readonly string[]): PictureMarks {
  const mark = vault.marker(company);
  const usable = [...new Set(addresses)].filter((address) => isUsable(address));
  return Object.fromEntries(usable.map((address) => [address, mark(textOf(address))]));
}

/** Whether this server issued the mark to this company for the address. */
export function isPictureMark(vault: Vault, company: string, address: string, mark: string): boolean {
  const [ours, given] = [Buffer.from(vault.mark(company, textOf(address))), Buffer.from(mark)];
  return ours.length === given.length && timingSafeEqual(ours, given);
}

const isUsable = (address: string): boolean =>
  address.length <= MAX_PICTURE_ADDRESS && /^https?:\/\//i.test(address) && URL.canParse(address);
